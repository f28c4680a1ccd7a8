"""A picture of a report: for each path how far it reaches, where 1 is the bar to meet."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tests.bench.bars import BARS, Bar
from tests.bench.report import Report, row
from tests.bench.rounds import Spread

WIDE, LEFT, RIGHT, ROW, TOP = 960, 560, 90, 26, 44
MOST = 3.0
"""As many bars as the axis has room for."""
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img">
<title>How each path measured, where 1 is the bar to meet</title>
<style>
text {{ font: 13px system-ui, sans-serif; fill: #24292f; }}
.small {{ font-size: 11px; fill: #57606a; }}
.end {{ text-anchor: end; }} .mid {{ text-anchor: middle; }}
.stretch {{ fill: #2da44e; }} .yes {{ fill: #4493f8; }} .no {{ fill: #d1633b; }}
.bar {{ stroke: #24292f; stroke-width: 1.5; }} .goal {{ stroke: #8250df; stroke-width: 2.5; }}
.range {{ stroke: #24292f; stroke-opacity: 0.6; }}
</style>
<rect width="{wide}" height="{high}" fill="#ffffff"/>
{drawn}
</svg>
"""


def picture(found: Report) -> str:
    """Return the picture of a report as SVG, the same for the same report."""
    high = TOP + ROW * len(BARS) + 30
    drawn = "\n".join(_drawn(found, high))
    return SVG.format(wide=WIDE, high=high, drawn=drawn)


def _drawn(found: Report, high: int) -> Iterator[str]:
    bottom = high - 26
    yield f'<text x="{_x(1)}" y="20" class="mid">the bar</text>'
    for index, bar in enumerate(BARS):
        yield from _row(bar, row(found, bar.id), TOP + ROW * index)
    yield f'<line x1="{_x(1)}" x2="{_x(1)}" y1="28" y2="{bottom}" class="bar"/>'
    yield (
        f'<text x="{WIDE - 10}" y="{high - 8}" class="small end">median, as a part of the bar · thin line: least to '
        "most · violet mark: what would be better still</text>"
    )


def _row(bar: Bar, measured: Spread | None, y: int) -> Iterator[str]:
    yield f'<text x="{LEFT - 10}" y="{y + 13}" class="end">{escape(bar.path)}</text>'
    if measured is None:
        yield f'<text x="{LEFT + 6}" y="{y + 13}" class="small">not measured</text>'
        return
    end = _x(bar.reach(measured.median))
    ends = sorted(_x(bar.reach(number)) for number in (measured.least, measured.most))
    yield f'<rect x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="18" class="{bar.met(measured)}"/>'
    yield f'<line x1="{ends[0]}" x2="{ends[1]}" y1="{y + 9}" y2="{y + 9}" class="range"/>'
    goal = _x(bar.reach(bar.stretch))
    yield f'<line x1="{goal}" x2="{goal}" y1="{y - 2}" y2="{y + 20}" class="goal"/>'
    yield f'<text x="{max(end, ends[1], goal) + 6}" y="{y + 13}" class="small">{_short(measured.median)}</text>'


def _x(reach: float) -> float:
    return round(LEFT + (WIDE - RIGHT - LEFT) * min(reach, MOST) / MOST, 1)


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"
