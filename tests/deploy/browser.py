"""A page with the TypeScript client in it, and a real browser to open it."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

PAGE = Path(__file__).with_name("page.mjs")
BUNDLER = Path(__file__).parents[2] / "clients" / "typescript" / "node_modules" / "esbuild-wasm" / "bin" / "esbuild"
# What a browser does by itself, of which a test wants nothing.
QUIETLY = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]


class Browser(NamedTuple):
    """The port that serves the page."""

    port: int

    def open(self, origin: str, ask: str) -> str:
        """Open the page as one of this origin, have it ask at an address, and return what it shows in the end."""
        with tempfile.TemporaryDirectory(prefix="referee-browser-") as profile:
            line = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", *QUIETLY]
            line += [f"--user-data-dir={profile}", "--virtual-time-budget=20000", "--dump-dom", f"{origin}/#{ask}"]
            shown = subprocess.run(line, capture_output=True, text=True, timeout=100, check=True).stdout
        (body,) = re.findall(r"<body>(.*?)\s*</body>", shown, re.DOTALL)
        return str(body)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def pages() -> Iterator[Browser]:
    """Bundle the page and serve it."""
    with tempfile.TemporaryDirectory(prefix="referee-page-") as place:
        line = [
            "node",
            str(BUNDLER),
            str(PAGE),
            "--bundle",
            "--format=esm",
            f"--outfile={place}/page.js",
            "--log-level=warning",
        ]
        subprocess.run(line, check=True)
        script = '<!doctype html><title>asking</title><body></body><script type="module" src="page.js"></script>'
        (Path(place) / "index.html").write_text(script)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=place))
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Browser(server.server_port)
        finally:
            server.shutdown()
            server.server_close()
