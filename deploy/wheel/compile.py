"""The build hook that compiles the hot modules with mypyc; a build without it makes a wheel of Python alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GROUP = "referee"
"""The name of the library that the compiled modules share: `referee__mypyc`, beside the packages."""


class Compiled(BuildHookInterface):  # type: ignore[type-arg]  # hatchling has no name for the configuration
    """Compile the modules that `pyproject.toml` lists, beside their sources, and put them into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and tell hatchling that the wheel is for this Python and this machine."""
        # What they need is asked for only where the hook is enabled.
        from mypyc.build import mypycify
        from setuptools import Distribution
        from setuptools.command.build_ext import build_ext

        work = str(Path(self.root, "build/mypyc"))
        extensions = mypycify(self.config["modules"], group_name=GROUP, target_dir=work)
        command = build_ext(Distribution({"name": GROUP, "ext_modules": extensions}))
        command.build_temp = work
        command.inplace = True
        command.ensure_finalized()
        command.run()
        for path in self._made():
            path.touch()  # what need not be linked anew is copied with its old time, which may be before its source's
        build_data["force_include"].update({str(path): str(path.relative_to(self.root)) for path in self._made()})
        build_data["infer_tag"] = True
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave the sources alone again once a wheel is built; those of an editable installation stay compiled."""
        if version != "editable":
            self.clean([version])

    def clean(self, versions: list[str]) -> None:
        """Remove what was compiled."""
        for path in self._made():
            path.unlink()

    def _made(self) -> list[Path]:
        """Return what was compiled: the modules beside their sources, and the library that they share."""
        return [*Path(self.root).glob(f"{GROUP}__mypyc.*"), *Path(self.root, "referee").rglob("*.so")]
