"""The generated parts of pages are what the code says today."""

import pytest

from tests.house.pages import PARTS, ROOT, fresh


@pytest.mark.parametrize("page", PARTS)
def test_a_page_is_fresh(page: str) -> None:
    """A page is what `make docs` writes."""
    text = (ROOT / page).read_text()

    assert text == fresh(page, text), "run `make docs`"
