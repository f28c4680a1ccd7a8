"""What is said of what is malformed: for each sentence one table or act, with the path, the reason and the words."""

from __future__ import annotations

import pytest

from referee.acts import Deal
from referee.notation import parse_act
from referee.stages import SEATS, Stage
from referee.table import Place, SetOut, Table
from referee.tiles import HIDDEN, JOKER, ONE, Tile
from referee.unreachable import Fault, Reason, act_faults, picks_fault, table_faults
from tests.test_unreachable import HERE, LOOKED, table

MOVED = (f"SOUTH {HERE}", f"WEST {LOOKED}", f"NORTH {LOOKED}")
SAID = [
    (("UNDEALT", "EAST rack 1b"), "east.rack", "Nothing is dealt, so no rack has a tile."),
    (("THROWN_IN", "EAST rack nothing | out 1b 2b 3b"), "east.set_out", "Nothing can be set out here."),
    (("UNDEALT", "WEST rack nothing | in 1b 2b 3b"), "west.incoming", "Nothing can be coming in here."),
    (
        ("UNDEALT", "WEST rack nothing | looked"),
        "west.looked",
        "Nothing has come in that could have been looked at.",
    ),
    (("UNDEALT", "WEST rack nothing | offer 0"), "west.offer", "Offers are made in the courtesy only."),
    (
        ("THROWN_IN", "EAST owes WEST 1"),
        "debts[0]",
        "Nothing is owed before the deal or after the discard.",
    ),
    (
        ("FIRST_RIGHT", "EAST rack nothing | in 1b 2b 3b | looked", *MOVED),
        "east.looked",
        "Tiles coming in have not been looked at.",
    ),
    (
        ("FIRST_RIGHT", "EAST rack 1b | out 1b 2b 3b", *MOVED),
        "east.set_out",
        "Nothing is set out once the tiles of the stage have moved.",
    ),
    (
        ("FIRST_RIGHT", *MOVED),
        "east.incoming",
        "The tiles have moved, and this seat has none and has not looked.",
    ),
    (
        ("FIRST_ACROSS", "EAST rack nothing | out 1b 2b"),
        "east.set_out",
        "A pass, with what is taken blind and what is owed to it, is of another size.",
    ),
    (
        ("FIRST_ACROSS", "EAST rack nothing | out 1b 2b blind 1"),
        "east.set_out.blind",
        "Only the last pass of each Charleston can be blind.",
    ),
    (
        ("FIRST_LEFT", "EAST rack nothing | out 1b J blind 1"),
        "east.set_out.tiles[1]",
        "This tile is never set out, and never comes in.",
    ),
    (
        ("FIRST_RIGHT", "EAST rack nothing | in 1b J 2b", *MOVED),
        "east.incoming[1]",
        "This tile is never set out, and never comes in.",
    ),
    (
        ("FIRST_RIGHT", "EAST rack nothing | in 1b 2b", *MOVED),
        "east.incoming",
        "Another number of tiles comes in on this pass.",
    ),
    (
        ("COURTESY", "EAST rack nothing | in 1b | offer 2", "WEST rack nothing | in 1b 2b | offer 3"),
        "east.incoming",
        "As many tiles come in as the smaller offer of the pair says.",
    ),
    (
        ("COURTESY", "EAST rack nothing | looked | offer 1", "WEST rack nothing | offer 1"),
        "west.incoming",
        "The tiles of this pair have crossed, and this seat has none and has not looked.",
    ),
    (("COURTESY", "EAST rack nothing | offer 4"), "east.offer", "An offer is none, one, two or three."),
    (("SECOND_LEFT", "EAST owes WEST 0"), "debts[0].tiles", "A debt is of one tile or more."),
    (
        ("SECOND_LEFT", "EAST owes EAST 1"),
        "debts[0].creditor",
        "A debt to a seat's own pass needs a pass set out.",
    ),
    (
        ("FIRST_RIGHT", "EAST owes SOUTH 1"),
        "debts[0].debtor",
        "No tile of the debtor can have reached the creditor yet.",
    ),
    (
        ("FIRST_RIGHT", *(f"{seat.name} rack nothing | out 1b 2b 3b" for seat in SEATS)),
        "stage",
        "All four have set out, so the tiles have moved.",
    ),
    (
        ("SECOND_ACROSS", *(f"{seat.name} {LOOKED}" for seat in SEATS)),
        "stage",
        "All four have looked, so the next stage has begun.",
    ),
    (
        ("COURTESY", "SOUTH rack 1c | out 1b | offer 1", "NORTH rack 1c | out 2b | offer 2"),
        "stage",
        "Both of a pair have set out, so their tiles have crossed.",
    ),
    (
        ("COURTESY", *(f"{seat.name} rack nothing | offer 0" for seat in SEATS)),
        "stage",
        "Both pairs are done, so the opening has come.",
    ),
]


@pytest.mark.parametrize(("lines", "path", "sentence"), SAID, ids=lambda value: value if isinstance(value, str) else "")
def test_an_unreachable_table_says_why(lines: tuple[str, ...], path: str, sentence: str) -> None:
    """What no play can reach is said in a sentence of its own."""
    assert [Fault(path, Reason.UNREACHABLE, sentence)] == list(table_faults(table(*lines)))


def test_too_many_of_a_face() -> None:
    """A fifth tile of a face is one too many wherever it lies."""
    fault = Fault("north.rack[1]", Reason.TOO_MANY_OF_A_FACE, "The set has no more of this face.")

    assert [fault] == list(table_faults(table("FIRST_RIGHT", "EAST rack 1b*4", "NORTH rack 2b 1b")))


def test_too_many_backs() -> None:
    """What lies face down can be no more tiles than the set has besides those that are seen."""
    east = Place(ONE[Tile.BAM_1] + ONE[HIDDEN] * 152)
    fault = Fault("east.rack[152]", Reason.TOO_MANY_OF_A_FACE, "The set has no tile left for this one.")

    assert [fault] == list(table_faults(Table(Stage.FIRST_RIGHT, (east, Place(), Place(), Place()))))


@pytest.mark.parametrize(
    ("picks", "sentence"),
    [
        ((1,), "There are as many picks as tiles taken blind, or none."),
        ((1, 2, 3), "There are as many picks as tiles taken blind, or none."),
        ((2, 2), "Picks are distinct places in the pile that comes in, from 1 to 3."),
        ((0, 1), "Picks are distinct places in the pile that comes in, from 1 to 3."),
        ((3, 4), "Picks are distinct places in the pile that comes in, from 1 to 3."),
        ((3, 1), ""),
    ],
)
def test_picks(picks: tuple[int, ...], sentence: str) -> None:
    """Picks are as many as tiles taken blind, distinct, and from 1 to 3."""
    east = Place(set_out=SetOut(ONE[Tile.BAM_1], 2, picks))
    laid = Table(Stage.FIRST_LEFT, (east, Place(), Place(), Place()))
    faults = [Fault("east.set_out.picks", Reason.MISMATCH, sentence)] if sentence else []

    assert faults == list(table_faults(laid))
    assert sentence == picks_fault(picks, 2)


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        ("SOUTH looks 1d 2d 4d", Fault("look.tiles", Reason.MISMATCH, "These are not the tiles that came in.")),
        (
            "EAST draws R",
            Fault("draw.tile", Reason.TOO_MANY_OF_A_FACE, "The set has no copy of this face left to draw."),
        ),
    ],
)
def test_an_act_that_does_not_fit_says_why(act: str, fault: Fault) -> None:
    """A look at other tiles than came in, and a draw of a fifth, are said in sentences of their own."""
    laid = table("FIRST_RIGHT", f"EAST rack R*4 | {LOOKED.partition('| ')[2]}", *MOVED)

    assert [fault] == list(act_faults(laid, parse_act(act)))


def test_a_look_can_name_the_last_copy() -> None:
    """A tile coming in face down can be the last copy of its face that is not seen elsewhere."""
    lines = ("EAST rack 1b*3 | looked", "SOUTH rack nothing | in 1d 2d ?", f"WEST {LOOKED}", f"NORTH {LOOKED}")

    assert [] == list(act_faults(table("FIRST_RIGHT", *lines), parse_act("SOUTH looks 1d 2d 1b")))


def test_a_deal_is_of_four_racks() -> None:
    """Each rack of a deal is counted with those before it, and is named by its seat."""
    faults = list(act_faults(Table(), Deal((ONE[JOKER] * 4, ONE[JOKER] * 4, b"", ONE[JOKER]))))

    assert [Fault("deal.north.tiles[0]", Reason.TOO_MANY_OF_A_FACE, "The set has no more of this face.")] == faults
