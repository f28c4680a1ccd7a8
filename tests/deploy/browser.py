"""A page with the TypeScript client in it, and a real browser to open it."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple

PAGE = Path(__file__).with_name("page.mjs")
BUNDLER = Path(__file__).parents[2] / "clients" / "typescript" / "node_modules" / "esbuild-wasm" / "bin" / "esbuild"
# What a browser does by itself, of which a test wants nothing.
QUIETLY = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
# Seconds in which a page has to tell.
PATIENCE = 100


class Browser(NamedTuple):
    """The port that serves the page, and what pages have told."""

    port: int
    told: Queue[str]

    def open(self, origin: str, ask: str, profile: Path) -> str:
        """Open the page as one of this origin, have it ask at an address, and return what it tells in the end."""
        line = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", *QUIETLY]
        line += [f"--user-data-dir={profile}", f"{origin}/#{ask}"]
        # The page says itself when it is through. Chromium's own --virtual-time-budget with --dump-dom shows a page
        # before its answers are there, now and then on a busy machine.
        with subprocess.Popen(line, stdout=subprocess.DEVNULL) as chromium:
            try:
                return self.told.get(timeout=PATIENCE)
            finally:
                chromium.terminate()


class _Pages(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any, told: Queue[str], directory: str) -> None:
        self.told = told
        super().__init__(*arguments, directory=directory)

    def do_POST(self) -> None:
        """Take what a page tells."""
        self.told.put(self.rfile.read(int(self.headers["content-length"])).decode())
        self.send_response(HTTPStatus.NO_CONTENT)
        self.end_headers()

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
        told = Queue[str]()
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Pages, told=told, directory=place))
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Browser(server.server_port, told)
        finally:
            server.shutdown()
            server.server_close()
