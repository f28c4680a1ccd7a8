"""The pages: their generated parts are what the code says today, and every link leads somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.pages import PARTS, PICTURES, ROOT, fresh

SKIPPED = {"node_modules", "build", "dist"}
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def pages() -> Iterator[Path]:
    """Yield every page, but for those of environments and builds."""
    for path in sorted(ROOT.rglob("*.md")):
        parts = path.relative_to(ROOT).parts
        if not any(part.startswith(".") or part in SKIPPED for part in parts):
            yield path


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings, made as those who show Markdown make them."""
    slugs: dict[str, int] = {}
    for heading in HEADING.findall(prose(page)):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        slugs[slug] = slugs.get(slug, -1) + 1
    return {f"{slug}-{number}" if number else slug for slug, times in slugs.items() for number in range(times + 1)}


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """Yield where a page's links lead that stay in this tree: the file, and the name in it."""
    for link in LINK.findall(prose(page)):
        if "://" not in link and not link.startswith("mailto:"):
            where, _, name = link.partition("#")
            yield (page.parent / where).resolve() if where else page, name


@pytest.mark.parametrize("page", [*PARTS, *PICTURES])
def test_a_page_is_fresh(page: str) -> None:
    """A page is what `make docs` writes."""
    text = (ROOT / page).read_text(encoding="utf-8")

    assert text == fresh(page, text), "run `make docs`"


@pytest.mark.parametrize("page", list(pages()), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """Every link of a page that stays in this tree leads to a file, and to a heading where it names one."""
    found = list(links(page))

    assert [] == [str(where) for where, _ in found if not where.exists() or not where.is_relative_to(ROOT)]
    assert [] == [f"{where}#{name}" for where, name in found if name and name not in anchors(where)]


def test_every_page_can_be_found() -> None:
    """Every page is linked from README, or from a page that is."""
    found, to_read = {ROOT / "README.md"}, [ROOT / "README.md"]
    while to_read:
        for where, _ in links(to_read.pop()):
            if where.suffix == ".md" and where not in found:
                found.add(where)
                to_read.append(where)

    assert [] == [str(page.relative_to(ROOT)) for page in pages() if page not in found]


def test_no_page_knows_the_machine_it_was_written_on() -> None:
    """No page names a path of some machine."""
    wrong = [str(page) for page in pages() if re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", page.read_text())]

    assert [] == wrong
