"""Unreachable tables, each with the one path that says what is wrong with it; and tables that are odd and no more."""

from __future__ import annotations

import pytest

from referee.acts import Deal, Draw, Look
from referee.notation import parse_act, parse_table
from referee.stages import IN_HAND, SEATS, Stage
from referee.table import Place, Table
from referee.tiles import FACES, JOKER, ONE, Tile
from referee.unreachable import act_faults, table_faults

LOOKED = "rack nothing | looked"
HERE = "rack nothing | in 1d 2d 3d"


def paths(table: Table) -> list[str]:
    """Return the paths of what is wrong with a table."""
    return [fault.path for fault in table_faults(table)]


def table(stage: str, *lines: str) -> Table:
    """Lay a table from its lines."""
    return parse_table("\n".join([f"table at {stage}", *lines]))


UNREACHABLE = {
    # 1. Something where nothing is dealt, or owed when all is over.
    ("UNDEALT", "EAST rack 1b"): ["east.rack"],
    ("THROWN_IN", "EAST rack nothing | out 1b 2b 3b"): ["east.set_out"],
    ("UNDEALT", "WEST rack nothing | in 1b 2b 3b"): ["west.incoming"],
    ("UNDEALT", "WEST rack nothing | looked"): ["west.looked"],
    ("UNDEALT", "WEST rack nothing | offer 0"): ["west.offer"],
    ("THROWN_IN", "EAST owes WEST 1"): ["debts[0]"],
    ("PLAY", "EAST owes WEST 1", "WEST owes EAST 1"): ["debts[0]", "debts[1]"],
    # 2. More of a face than the set has, wherever the tiles lie; counted in turn order.
    ("FIRST_RIGHT", "EAST rack 1b*4", "NORTH rack 2b 1b"): ["north.rack[1]"],
    ("FIRST_RIGHT", "EAST rack 1b*3", "SOUTH rack 2b | out 1b 2c 1b"): ["south.set_out.tiles[2]"],
    ("FIRST_RIGHT", f"EAST {LOOKED}", "SOUTH rack R*4 | in R 1b 2b", f"WEST {LOOKED}", f"NORTH {LOOKED}"): [
        "south.incoming[0]"
    ],
    ("PLAY", "EAST rack J*9"): ["east.rack[8]"],
    # 3. Where the tiles of a stage are.
    ("FIRST_RIGHT", "EAST rack nothing | in 1b 2b 3b | looked", f"SOUTH {HERE}", f"WEST {LOOKED}", f"NORTH {LOOKED}"): [
        "east.looked"
    ],
    ("FIRST_RIGHT", "EAST rack 1b | out 1b 2b 3b | looked", f"SOUTH {HERE}", f"WEST {LOOKED}", f"NORTH {LOOKED}"): [
        "east.set_out"
    ],
    ("FIRST_RIGHT", "EAST rack 1b | out 1b 2b 3b", f"SOUTH {HERE}", f"WEST {LOOKED}", f"NORTH {LOOKED}"): [
        "east.set_out"
    ],
    ("FIRST_RIGHT", f"SOUTH {HERE}", f"WEST {LOOKED}", f"NORTH {LOOKED}"): ["east.incoming"],
    # 4. The size of a pass, and what is in it.
    ("FIRST_ACROSS", "EAST rack nothing | out 1b 2b"): ["east.set_out"],
    ("FIRST_ACROSS", "EAST rack nothing | out 1b 2b 3b 4b"): ["east.set_out"],
    ("FIRST_ACROSS", "EAST rack nothing | out 1b 2b", "EAST owes EAST 2"): ["east.set_out"],
    ("FIRST_ACROSS", "EAST rack nothing | out 1b 2b blind 1"): ["east.set_out.blind"],
    ("FIRST_LEFT", "EAST rack nothing | out 1b 2b blind 2"): ["east.set_out"],
    ("FIRST_LEFT", "EAST rack nothing | out 1b J blind 1"): ["east.set_out.tiles[1]"],
    ("COURTESY", "EAST rack nothing | out 1b 2b | offer 3", "WEST rack nothing | offer 1"): ["east.set_out"],
    ("COURTESY", "EAST rack nothing | out 1b blind 1 | offer 3", "WEST rack nothing | offer 2"): ["east.set_out.blind"],
    # 5. How many come in.
    ("FIRST_RIGHT", "EAST rack nothing | in 1b 2b", f"SOUTH {LOOKED}", f"WEST {LOOKED}", f"NORTH {LOOKED}"): [
        "east.incoming"
    ],
    ("FIRST_LEFT", "EAST rack nothing | in 1b*4", f"SOUTH {LOOKED}", f"WEST {LOOKED}", f"NORTH {LOOKED}"): [
        "east.incoming"
    ],
    ("COURTESY", "EAST rack nothing | in 1b | offer 2", "WEST rack nothing | in 1b 2b | offer 3"): ["east.incoming"],
    # 6. The courtesy.
    ("COURTESY", "EAST rack nothing | offer 4"): ["east.offer"],
    ("SECOND_RIGHT", "EAST rack nothing | offer 0"): ["east.offer"],
    ("COURTESY", "EAST rack nothing | out 1b | offer 1"): ["east.set_out"],
    ("COURTESY", "EAST rack nothing | out nothing | offer 0", "WEST rack nothing | offer 1"): ["east.set_out"],
    ("COURTESY", "EAST rack nothing | looked | offer 1"): ["east.looked"],
    ("COURTESY", "EAST rack nothing | offer 0", "WEST rack nothing | in 1b | offer 1"): ["west.incoming"],
    ("COURTESY", "EAST rack nothing | looked | offer 1", "WEST rack nothing | offer 1"): ["west.incoming"],
    ("COURTESY", "EAST rack nothing | in 1b | offer 1", "WEST rack nothing | out 2b | offer 1"): ["west.set_out"],
    ("COURTESY", "EAST rack nothing | out 2b | looked | offer 1", "WEST rack nothing | looked | offer 1"): [
        "east.set_out"
    ],
    # 7. Debts.
    ("SECOND_LEFT", "EAST owes WEST 0"): ["debts[0].tiles"],
    ("SECOND_LEFT", "EAST owes WEST 1", "EAST owes EAST 1"): ["debts[1].creditor"],
    ("FIRST_RIGHT", "EAST owes SOUTH 1"): ["debts[0].debtor"],
    ("FIRST_ACROSS", "EAST owes WEST 1"): ["debts[0].debtor"],
    ("FIRST_LEFT", "EAST owes NORTH 1"): ["debts[0].debtor"],
    # 8. Ready to go on, and not gone on.
    ("FIRST_RIGHT", *(f"{seat.name} rack nothing | out 1b 2b 3b" for seat in SEATS)): ["stage"],
    ("FIRST_LEFT", *(f"{seat.name} rack nothing | out blind 3" for seat in SEATS)): ["stage"],
    ("SECOND_ACROSS", *(f"{seat.name} {LOOKED}" for seat in SEATS)): ["stage"],
    ("COURTESY", "SOUTH rack 1c | out 1b | offer 1", "NORTH rack 1c | out 2b | offer 2", "EAST owes WEST 1"): ["stage"],
    ("COURTESY", "EAST rack 1c | out 1b | offer 1", "WEST rack 1c | out 2b | offer 2", "SOUTH owes NORTH 1"): ["stage"],
    ("COURTESY", *(f"{seat.name} rack nothing | offer 0" for seat in SEATS)): ["stage"],
    # 9. When the passing is over.
    ("OPENING", "EAST rack nothing | out 1b 2b 3b"): ["east.set_out"],
    ("PLAY", "EAST rack nothing | in 1b"): ["east.incoming"],
    ("OPENING", "EAST rack nothing | looked"): ["east.looked"],
    ("PLAY", "EAST rack nothing | offer 2"): ["east.offer"],
}


@pytest.mark.parametrize(("lines", "wrong"), UNREACHABLE.items(), ids=lambda value: " ".join(value))
def test_an_unreachable_table_says_where(lines: tuple[str, ...], wrong: list[str]) -> None:
    """What no play can reach is named by its path, and nothing else is."""
    assert wrong == paths(table(*lines))


REACHABLE = {
    # A debt holds up what would go on by itself.
    ("FIRST_ACROSS", *(f"{seat.name} rack 1c | out 1b 2b 3b" for seat in SEATS), "SOUTH owes WEST 1"),
    ("FIRST_RIGHT", *(f"{seat.name} {LOOKED}" for seat in SEATS), "SOUTH owes WEST 1"),
    ("FIRST_RIGHT", "EAST rack J | out nothing", "EAST owes EAST 3"),
    ("FIRST_RIGHT", "EAST rack J | out nothing", "EAST owes EAST 1", "EAST owes EAST 2"),
    ("FIRST_LEFT", *(f"{seat.name} rack 1b | out blind 3" for seat in SEATS), "NORTH owes EAST 1"),
    ("COURTESY", *(f"{seat.name} rack nothing | offer 0" for seat in SEATS), "SOUTH owes NORTH 2"),
    ("COURTESY", "SOUTH rack 1c | out 1b | offer 1", "NORTH rack 1c | out 2b | offer 2", "EAST owes SOUTH 1"),
    # One seat has kept less than another, or nothing, on a pass that may be blind.
    ("SECOND_RIGHT", f"EAST {LOOKED}", f"SOUTH {HERE}", "WEST rack nothing | in 1b", "NORTH rack nothing | in 1b 2b"),
    # One of a pair has looked and the other has not.
    ("COURTESY", "EAST rack nothing | looked | offer 1", "WEST rack nothing | in 1b | offer 3"),
    # One pair is done and the other is not.
    ("COURTESY", *(f"{name} rack nothing | looked | offer 1" for name in ("SOUTH", "NORTH")), "EAST rack 1b | offer 0"),
    ("COURTESY", *(f"{name} rack nothing | looked | offer 1" for name in ("EAST", "WEST")), "SOUTH rack 1b | offer 0"),
    # A wrong count is a misdeal, and no malformed table.
    ("FIRST_RIGHT", "EAST rack 1b*4 2b*4 3b*4 4b*4 5b*4"),
    ("PLAY",),
    ("UNDEALT",),
    ("THROWN_IN",),
}


@pytest.mark.parametrize("lines", sorted(REACHABLE), ids=" ".join)
def test_an_odd_table_is_a_table(lines: tuple[str, ...]) -> None:
    """What play can reach is accepted, whatever it owes; and so are wrong counts."""
    assert [] == paths(table(*lines))


@pytest.mark.parametrize("stage", sorted(IN_HAND))
def test_empty_racks_are_no_unreachable_table(stage: Stage) -> None:
    """Whatever the stage, racks alone make a table."""
    places = (*(Place(bytes(FACES)),) * 3, Place())

    assert [] == paths(Table(stage, places))


def test_all_that_is_wrong_is_said_in_field_order() -> None:
    """The stage comes first, then the places in turn order, then the debts."""
    lines = [f"{seat.name} rack nothing | looked | offer 1" for seat in SEATS]

    assert ["stage", "east.offer", "south.offer", "west.offer", "north.offer"] == paths(table("FIRST_RIGHT", *lines))


def test_a_deal_of_too_many_of_a_face() -> None:
    """A deal is malformed at each tile beyond what the set has, over all four racks."""
    soaps = ONE[Tile.SOAP]
    deal = Deal((soaps * 3, soaps, ONE[JOKER] * 9, soaps))

    assert ["deal.west.tiles[8]", "deal.north.tiles[0]"] == [fault.path for fault in act_faults(Table(), deal)]


@pytest.mark.parametrize(
    ("act", "wrong"),
    [
        ("SOUTH looks 3d 1d 2d", []),
        ("SOUTH looks 1d 2d 3d at FIRST_RIGHT", []),
        ("SOUTH looks", []),
        ("SOUTH looks 1d 2d 4d", ["look.tiles"]),
        ("SOUTH looks 1d 2d", ["look.tiles"]),
        ("SOUTH looks 1d 2d 3d 3d", ["look.tiles"]),
        ("SOUTH looks 9d at FIRST_LEFT", []),
        ("EAST looks 9d", []),
        ("EAST draws R", ["draw.tile"]),
        ("EAST draws G", []),
    ],
)
def test_an_act_that_does_not_fit_its_table(act: str, wrong: list[str]) -> None:
    """A look that names other tiles than came in, unless it is stale or nothing came in, and a draw of a fifth."""
    laid = table("FIRST_RIGHT", "EAST rack R*4 G*3 | looked", f"SOUTH {HERE}", f"WEST {LOOKED}", f"NORTH {LOOKED}")
    parsed = parse_act(act)

    assert isinstance(parsed, Look | Draw)
    assert wrong == [fault.path for fault in act_faults(laid, parsed)]
