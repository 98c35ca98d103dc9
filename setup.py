"""The wheel: under `discreet/` lies what a checkout has at its top, in the same order."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

FLOORS = sorted({str(path.parent) for path in Path().glob("*/__init__.py")} - {"discreet", "tests", "benchmarks"})
FOLDERS = (*FLOORS, "pages")
# what is run or read by its path, and not imported
FILES = (
    "app.py",
    "requirements.txt",
    ".streamlit/config.toml",
    "mkdocs.yml",
    *(str(path) for path in sorted(Path("docs").rglob("*")) if path.suffix in (".md", ".png")),
    *(f"deploy/{path.name}" for path in sorted(Path("deploy").iterdir())),
)
DATA = ["*.css", "*.js", "*.json", "*.svg", "*.png", "py.typed"]


def packages(folder: str, name: str) -> list[str]:
    """Return a folder as a package, and those below it that hold code or data."""
    below = [path for path in sorted(Path(folder).rglob("*")) if path.is_dir() and not path.is_symlink()]
    places = [path for path in [Path(folder), *below] if path.name != "__pycache__"]
    return [".".join([name, *path.relative_to(folder).parts]) for path in places]


class Build(build_py):
    """Modules as always, and the files beside them."""

    def run(self) -> None:
        """Build, and copy the files to where the code looks for them."""
        super().run()
        if self.editable_mode:
            return
        for name in FILES:
            target = Path(self.build_lib, "discreet", name)
            target.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(name, str(target))


setup(
    packages=packages("discreet", "discreet")
    + [package for floor in FOLDERS for package in packages(floor, f"discreet.{floor}")],
    package_dir={"discreet": "discreet"} | {f"discreet.{floor}": floor for floor in FOLDERS},
    package_data={"": DATA},
    cmdclass={"build_py": Build},
)
