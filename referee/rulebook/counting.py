"""The count: East holds fourteen, the others thirteen, from the deal to the discard."""

from __future__ import annotations

from referee.acts import Count, Deal, Play
from referee.rulebook.article import READING, Answers, Reading, found, rule
from referee.ruling import Finding, Verdict
from referee.stages import EAST, FIRST_RIGHT, IN_HAND, NOT_DEALT, OPENING, Moment, Seat
from referee.table import Table

EAST_FOURTEEN = Reading("count.before")


def counts(table: Table, act: object) -> list[tuple[Seat, int]]:
    """Return what seats own by this act: the racks of a deal, the claim of a count, else the table itself."""
    match act:
        case Deal():
            return [(seat, len(act.racks[seat - 1])) for seat in table.turn]
        case Count():
            return [(act.seat, act.tiles + table.beside_rack(act.seat))]
        case _:
            numbers = table.all_owned
            return [(seat, numbers[seat - 1]) for seat in table.turn]


def wrong(article: str, moment: Moment, table: Table, act: object) -> Answers:
    """Yield a finding for each seat whose count is wrong, if a count is of that moment now."""
    if table.moment is not moment or (act is None and table.counts_are_right):
        return  # the table is counted at every act, and is right at nearly all
    for seat, counted in counts(table, act):
        rests = seat is EAST and "east.13" not in table.house
        if counted not in table.right_counts(seat):
            if rests:
                yield EAST_FOURTEEN
            yield found(article, seat, counted=counted, dealt=table.dealt(seat))
        elif rests and isinstance(act, Deal | Count):
            yield EAST_FOURTEEN


@rule(
    "count.before",
    Verdict.MISDEAL,
    {Deal: NOT_DEALT, Count: frozenset({FIRST_RIGHT})},
    reading="The French and Dutch texts give everyone 13; the English, the more exact, gives East 14.",
)
def counted_before(table: Table, act: object) -> Answers:
    """Before the first pass East holds 14 tiles and every other seat 13; if not, the hands are thrown in and dealt
    again."""
    return wrong("count.before", Moment.BEFORE, table, act)


@rule(
    "count.during",
    Verdict.MISDEAL,
    {Count: IN_HAND},
    reading="The English text counts before and after the passing; found in between, a wrong count costs the same.",
)
def counted_during(table: Table, act: object) -> Answers:
    """Between the deal and the last pass no hand gains or loses a tile. A seat owns what is on its rack, what it has
    set out, what came in and is not taken up, less what it owes, plus what it is owed."""
    for answer in wrong("count.during", Moment.DURING, table, act):
        if isinstance(answer, Finding):
            yield READING  # that a count in between is judged at all
        yield answer


@rule(
    "count.after",
    Verdict.MISDEAL,
    {Count: frozenset({OPENING}), Play: frozenset({OPENING})},
)
def counted_after(table: Table, act: object) -> Answers:
    """After the last pass East holds 14 tiles and every other seat 13, as before."""
    if not isinstance(act, Play):
        yield from wrong("count.after", Moment.AFTER, table, act)
        return
    # Asked of a discard that is otherwise lawful: a seat that the house lets draw is short no longer rightly.
    for seat in table.turn:
        if table.short(seat):
            yield found("count.after", seat, counted=table.owned(seat), dealt=table.dealt(seat))


@rule("count.claim", Verdict.ILLEGAL, {Count: IN_HAND})
def claimed_in_the_open(table: Table, act: Count) -> Answers:
    """Where every face is seen, by the house rule claims.closed, nobody claims a count."""
    if "claims.closed" in table.house:
        yield found("count.claim", act.seat)
