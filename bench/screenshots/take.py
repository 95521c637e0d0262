"""Renders the report's stories as GitHub-like pages and photographs them with headless Chromium.

Run from the repository's root: `python -m bench.screenshots.take [--out FOLDER] [--all]`. Needs `chromium` and the
Noto CJK fonts (Debian: `apt-get install chromium fonts-noto-cjk fonts-noto-color-emoji`). Without `--all` only the
two pictures of the README are made, in docs/images.
"""

import argparse
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from bench.screenshots.comment_page import page
from ragjudge.report import markdown
from tests.unit.report.stories import STORIES

WIDTH = 934
README_HEIGHT = 1240
"""What a person sees first; the whole comment is longer."""
MOST_BYTES = 200_000
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    parser.add_argument(
        "--all", action="store_true", help="every story in both languages, folds open, whole length"
    )
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for language in ("ja", "en"):
        for name, story in STORIES.items() if chosen.all else [("failed", STORIES["failed"])]:
            html = page(markdown.comment(story(language).view()), opened=chosen.all)
            target = chosen.out / (f"{name}-{language}.png" if chosen.all else f"comment-{language}.png")
            photograph(html, target, height=None if chosen.all else README_HEIGHT)
            print(f"{target}: {target.stat().st_size:,} bytes")
            if not chosen.all and target.stat().st_size > MOST_BYTES:
                raise SystemExit(f"{target} is larger than {MOST_BYTES:,} bytes")


def photograph(html: str, target: Path, *, height: int | None) -> None:
    """`height` None: as long as the page is."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "page.html")
        source.write_text(html, encoding="utf-8")
        tall = height or _height(source, Path(folder))
        shot = Path(folder, "shot.png")
        _chromium(Path(folder), f"--screenshot={shot}", f"--window-size={WIDTH},{tall}", source.as_uri())
        shutil.move(shot, target)
    _shrink(target)


def _height(source: Path, folder: Path) -> int:
    measuring = "<script>document.title = document.documentElement.scrollHeight</script>"
    measured = folder / "measured.html"
    measured.write_text(source.read_text(encoding="utf-8") + measuring, encoding="utf-8")
    dom = _chromium(folder, "--dump-dom", f"--window-size={WIDTH},200", measured.as_uri())
    found = re.search(r"<title>(\d+)</title>", dom)
    return int(found.group(1)) if found else README_HEIGHT


def _chromium(folder: Path, *arguments: str) -> str:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        raise SystemExit("Chromium was not found. Debian: apt-get install chromium fonts-noto-cjk")
    command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def _shrink(target: Path) -> None:
    """A palette instead of true colour, where pngquant is at hand."""
    if shutil.which("pngquant"):
        subprocess.run(
            ["pngquant", "--force", "--output", str(target), "128", str(target)], check=True, timeout=60
        )


if __name__ == "__main__":
    main()
