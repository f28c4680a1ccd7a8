"""The order of play as a picture, drawn from the table that the referee itself plays by.

Where a stage stands and which way round a line goes is chosen here; which stages there are, what leads from one to
another and what it is called is read from `referee.play.ORDER`. Right, across and left are columns, so that the second
Charleston runs back.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from referee.house import HOUSE
from referee.play import ORDER, Event
from referee.stages import BLIND_PASSES, DIRECTIONS, SIX_PASSES, Stage

Point = tuple[float, float]

WIDE, HIGH = 1120, 690
HALF, TALL = 84, 25  # half of a node
THROWN, RIGHT, ACROSS, LEFT = 128, 388, 652, 916
DEALT, FIRST, SECOND, COURTESY, OPENING, PLAY = 56, 174, 312, 428, 532, 636
AT: dict[Stage, Point] = {
    Stage.UNDEALT: (RIGHT, DEALT),
    Stage.THROWN_IN: (THROWN, FIRST),
    Stage.FIRST_RIGHT: (RIGHT, FIRST),
    Stage.FIRST_ACROSS: (ACROSS, FIRST),
    Stage.FIRST_LEFT: (LEFT, FIRST),
    Stage.SECOND_LEFT: (LEFT, SECOND),
    Stage.SECOND_ACROSS: (ACROSS, SECOND),
    Stage.SECOND_RIGHT: (RIGHT, SECOND),
    Stage.COURTESY: (ACROSS, COURTESY),
    Stage.OPENING: (ACROSS, OPENING),
    Stage.PLAY: (ACROSS, PLAY),
}
# Lines that are not straight: the points they go through, the last one at the stage that they lead to.
BENT: dict[tuple[Stage, Stage], tuple[Point, ...]] = {
    (Stage.SECOND_RIGHT, Stage.COURTESY): (
        (RIGHT + 30, SECOND + TALL),
        (RIGHT + 30, COURTESY),
        (ACROSS - HALF, COURTESY),
    ),
    (Stage.SECOND_RIGHT, Stage.OPENING): (
        (RIGHT - 30, SECOND + TALL),
        (RIGHT - 30, OPENING),
        (ACROSS - HALF, OPENING),
    ),
    (Stage.SECOND_LEFT, Stage.COURTESY): ((LEFT, SECOND + TALL), (LEFT, COURTESY), (ACROSS + HALF, COURTESY)),
    (Stage.FIRST_LEFT, Stage.OPENING): (
        (LEFT + HALF, FIRST),
        (LEFT + HALF + 48, FIRST),
        (LEFT + HALF + 48, OPENING),
        (ACROSS + HALF, OPENING),
    ),
    (Stage.FIRST_RIGHT, Stage.PLAY): (
        (RIGHT - 30, FIRST + TALL),
        (RIGHT - 30, FIRST + TALL + 40),
        (RIGHT - HALF - 44, FIRST + TALL + 40),
        (RIGHT - HALF - 44, PLAY),
        (ACROSS - HALF, PLAY),
    ),
}
HOUSE_RULES = {Event.RING_ENDS: "ring.ends", Event.DECLARED: "east.declares"}
DIRECTION = {1: "to the right", 2: "across", 3: "to the left"}
UNDER = {
    Stage.UNDEALT: "before the deal",
    Stage.THROWN_IN: "after a misdeal",
    Stage.COURTESY: "none to three across",
    Stage.OPENING: "East is to discard",
    Stage.PLAY: "judged no more",
}
TEXT = 15  # from one line of text to the next

STYLE = """\
.panel { fill: #ffffff; stroke: #d8dee4; }
.band { fill: #eef4fb; }
.node { fill: #ffffff; stroke: #4d5866; stroke-width: 1.4; }
.end { fill: #f1f3f5; }
.line { fill: none; stroke: #4d5866; stroke-width: 1.6; }
.head { fill: #4d5866; }
.house { stroke: #7a4fc9; stroke-dasharray: 6 5; }
.house-head { fill: #7a4fc9; }
.misdeal { stroke: #c0392b; }
.misdeal-head { fill: #c0392b; }
text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 12.5px; fill: #2b323b; }
.name { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; font-weight: 600; }
.under { font-size: 11.5px; fill: #5b6673; }
.id { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 11.5px; fill: #7a4fc9; }
.chapter { font-size: 12px; fill: #4a6785; letter-spacing: .04em; }
@media (prefers-color-scheme: dark) {
.panel { fill: #12161c; stroke: #30363d; }
.band { fill: #19232f; }
.node { fill: #1c2229; stroke: #9aa5b1; }
.end { fill: #262d36; }
.line { stroke: #9aa5b1; }
.head { fill: #9aa5b1; }
.house { stroke: #b79cf0; }
.house-head { fill: #b79cf0; }
.misdeal { stroke: #ff8a7a; }
.misdeal-head { fill: #ff8a7a; }
text { fill: #dfe5eb; }
.under { fill: #a3adb8; }
.id { fill: #b79cf0; }
.chapter { fill: #8fb2d6; }
}"""


def order_of_play() -> str:
    """Return the picture as SVG."""
    heads = "\n".join(
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path class="{name}" d="M0 0 10 5 0 10z"/></marker>'
        for name in ("head", "house-head", "misdeal-head")
    )
    drawn = [*_bands(), *_lines(), *_misdeal(), *_nodes(), *_legend()]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img">',
            "<title>The order of play: the stages of a hand, and what leads from one to the next</title>",
            f"<style>\n{STYLE}\n</style>",
            f"<defs>\n{heads}\n</defs>",
            f'<rect class="panel" x="0.5" y="0.5" width="{WIDE - 1}" height="{HIGH - 1}" rx="10"/>',
            *drawn,
            "</svg>\n",
        ]
    )


def _bands() -> Iterator[str]:
    left, wide = RIGHT - HALF - 18, LEFT - RIGHT + 2 * HALF + 36
    for row, name in ((FIRST, "THE FIRST CHARLESTON"), (SECOND, "THE SECOND CHARLESTON")):
        yield f'<rect class="band" x="{left}" y="{row - 52}" width="{wide}" height="90" rx="12"/>'
        yield _text((ACROSS, row - 36), name, "chapter")


def _nodes() -> Iterator[str]:
    for stage, (x, y) in AT.items():
        ends = " end" if stage not in {source for source, _ in ORDER} else ""
        yield (
            f'<rect class="node{ends}" x="{x - HALF}" y="{y - TALL}" width="{2 * HALF}" height="{2 * TALL}" rx="8"/>'
        )
        yield _text((x, y - 3), stage.name, "name")
        yield _text((x, y + 14), _under(stage), "under")


def _under(stage: Stage) -> str:
    if stage not in SIX_PASSES:
        return UNDER[stage]
    return f"three {DIRECTION[DIRECTIONS[stage]]}" + (", or blind" if stage in BLIND_PASSES else "")


def _lines() -> Iterator[str]:
    between: dict[tuple[Stage, Stage], list[Event]] = {}
    for (source, event), target in ORDER.items():
        if event is not Event.MISDEALT:
            between.setdefault((source, target), []).append(event)
    for (source, target), events in between.items():
        points = BENT.get((source, target)) or _straight(AT[source], AT[target])
        house = [event for event in events if event in HOUSE_RULES]
        assert house in ([], events), "a line is the house's or it is not"
        yield _path(points, "house" if house else "")
        labels = [(_said(event), "") for event in events]
        labels += [(_house_rule(event), "id") for event in house]
        yield from _label(points, labels)


def _said(event: Event) -> str:
    return event.value.partition(", where the house")[0]


def _house_rule(event: Event) -> str:
    id = HOUSE_RULES[event]
    assert id in {rule.id for rule in HOUSE}
    return id


def _straight(source: Point, target: Point) -> tuple[Point, Point]:
    (x1, y1), (x2, y2) = source, target
    assert x1 == x2 or y1 == y2, "a line that is not straight says where it bends"
    if y1 == y2:
        way = HALF if x2 > x1 else -HALF
        return (x1 + way, y1), (x2 - way, y2)
    return (x1, y1 + TALL), (x2, y2 - TALL)


def _path(points: tuple[Point, ...], kind: str) -> str:
    """Draw a line through the points, round at the corners, with a head at the end."""
    (x, y), *rest = points
    drawn = f"M{x} {y}"
    for (x1, y1), (x2, y2), (x3, y3) in zip(points, points[1:], points[2:], strict=False):
        before = _towards((x2, y2), (x1, y1), 12)
        after = _towards((x2, y2), (x3, y3), 12)
        drawn += f" L{before[0]} {before[1]} Q{x2} {y2} {after[0]} {after[1]}"
    drawn += f" L{rest[-1][0]} {rest[-1][1]}"
    head = f"{kind}-head" if kind else "head"
    return f'<path class="{f"line {kind}".strip()}" d="{drawn}" marker-end="url(#{head})"/>'


def _towards(point: Point, other: Point, far: float) -> Point:
    (x, y), (x2, y2) = point, other
    return x + far * ((x2 > x) - (x2 < x)), y + far * ((y2 > y) - (y2 < y))


def _label(points: tuple[Point, ...], lines: list[tuple[str, str]]) -> Iterator[str]:
    """Write above the last stretch of a line that ends level, beside one that ends upright."""
    (x1, y1), (x2, y2) = points[-2:]
    if y1 == y2:
        if len(points) == 2:  # between neighbours there is little room
            lines = [(half, kind) for text, kind in lines for half in _halves(text)]
        middle = (x1 + x2) / 2 + (-6 if len(points) == 2 and x2 > x1 else 6)
        for number, (text, kind) in enumerate(reversed(lines)):
            yield _text((middle, y1 - 8 - number * TEXT), text, kind)
    else:
        top = (y1 + y2) / 2 + 4 - (len(lines) - 1) * TEXT / 2 - (6 if y2 > y1 else 0)
        for number, (text, kind) in enumerate(lines):
            side, anchor = (-10, "end") if x1 == LEFT else (10, "start")  # at the edge there is room inside only
            yield _text((x1 + side, top + number * TEXT), text, kind, anchor)


def _halves(text: str) -> list[str]:
    first, _, rest = text.partition(" ")
    return [first, rest] if rest else [first]


def _misdeal() -> Iterator[str]:
    """A wrong count is found at any stage but one that nothing leads on from: one line stands for all of them."""
    (target,) = {target for (_, event), target in ORDER.items() if event is Event.MISDEALT}
    counted = {source for source, event in ORDER if event is Event.MISDEALT}
    assert counted == {source for source, _ in ORDER}, "the picture says: at any stage before the discard"
    x, y = AT[target]
    points = ((x, y + TALL + 74), (x, y + TALL))
    yield _path(points, "misdeal")
    yield _text((x + 10, y + TALL + 44), _said(Event.MISDEALT), "", "start")
    yield _text((x, y + TALL + 92), "at any stage", "under")
    yield _text((x, y + TALL + 92 + TEXT), "before the discard", "under")


def _legend() -> Iterator[str]:
    yield _path(((ACROSS + 190, PLAY + 10), (ACROSS + 240, PLAY + 10)), "house")
    yield _text((ACROSS + 252, PLAY + 14), "where a house rule says so", "under", "start")


def _text(at: Point, text: str, kind: str, anchor: str = "middle") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{at[0]}" y="{at[1]}" text-anchor="{anchor}"{name}>{escape(text)}</text>'
