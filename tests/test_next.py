"""What comes next, to the letter: who is waited for, what is open with its numbers, and the example of each must."""

from __future__ import annotations

import pytest

from referee.next import ActKind, OpenAct, what_next
from referee.notation import act_text, parse_act, parse_table
from referee.stages import NOT_DEALT, SEATS, Seat, Stage
from referee.table import Table

E, S, W, N = SEATS


def examples(*lines: str) -> dict[str, str]:
    """Return the example of every seat that must do something, at a table given by its lines."""
    then = what_next(parse_table("\n".join(lines)).tidied())

    assert then.waiting_for == tuple(entry.seat for entry in then.seats if entry.example)
    assert all(parse_act(act_text(entry.example)) == entry.example for entry in then.seats if entry.example)
    return {entry.seat.name: act_text(entry.example) for entry in then.seats if entry.example}


def test_an_absent_player_passes_her_first_tiles() -> None:
    """An example passes the first tiles in tile order that are no Jokers, none of them blind, and names the stage."""
    passed = examples(
        "table at FIRST_LEFT",
        "EAST rack F 3b J 2b 1d*10",
        "SOUTH rack 5c*4 J*2 N*4 R*3 | out blind 3",
        "WEST rack J*5 9d 8d*4 R G G",
        "NORTH rack 4b*4 5b*4 6b*4 7b",
    )

    assert {
        "EAST": "EAST passes 2b 3b 1d at FIRST_LEFT",
        "WEST": "WEST passes 8d 8d 8d at FIRST_LEFT",
        "NORTH": "NORTH passes 4b 4b 4b at FIRST_LEFT",
    } == passed


def test_an_absent_player_pays_before_anything_else() -> None:
    """Who owes pays first, though she must look or pass too; the payment is no Joker."""
    paid = examples(
        "table at SECOND_LEFT",
        "EAST rack J 1b*4 2b*4 3b*4 4b*2",
        "SOUTH rack 1c*4 2c*4 3c*4 4c",
        "WEST rack 1d*4 2d*4 3d*4",
        "NORTH rack R*4 G*4 O*4 N",
        "EAST owes WEST 1",
    )

    assert {"EAST": "EAST replaces 1b at SECOND_LEFT"} == {"EAST": paid["EAST"]}
    assert "SOUTH passes 1c 1c 1c at SECOND_LEFT" == paid["SOUTH"]


def test_an_absent_player_looks() -> None:
    """Who has tiles coming in looks, and names nothing; who has looked is not waited for; nobody stops by example."""
    looked = examples(
        "table at SECOND_LEFT",
        "EAST rack 1b*4 2b*4 3b*3 | in 1c 2c 3c",
        "SOUTH rack 1d*4 2d*4 3d*2 | in 4c 5c 6c",
        "WEST rack R*4 G*4 O*2 | in 7c 8c 9c",
        "NORTH rack E*4 W*4 N*2 | in 4d 5d 6d",
    )

    assert {seat.name: f"{seat.name} looks at SECOND_LEFT" for seat in SEATS} == looked


def test_an_absent_player_offers_none_and_keeps_to_what_was_offered() -> None:
    """Who has not offered offers none; who has passes the smaller offer."""
    lines = [
        "table at COURTESY",
        "EAST rack 2b 1b J | offer 2",
        "SOUTH rack 1c",
        "WEST rack 3b 4b | offer 3",
        "NORTH rack 1d",
    ]

    assert {
        "EAST": "EAST passes 1b 2b at COURTESY",
        "SOUTH": "SOUTH offers 0 at COURTESY",
        "WEST": "WEST passes 3b 4b at COURTESY",
        "NORTH": "NORTH offers 0 at COURTESY",
    } == examples(*lines)


def test_an_absent_east_discards_her_first_tile() -> None:
    """East discards the first tile that is no Joker, and the others wait."""
    assert {"EAST": "EAST discards 3c at OPENING"} == examples("table at OPENING", "EAST rack J*8 5d*3 3c F F")


def test_there_is_no_example_where_no_tile_is_left() -> None:
    """A seat that has too few tiles to give is waited for without an example."""
    then = what_next(parse_table("table at FIRST_RIGHT\nEAST rack 1b 2b J*8"))
    east = then.seats[0]

    assert None is east.example
    assert SEATS == then.waiting_for


@pytest.mark.parametrize("stage", [*sorted(NOT_DEALT), Stage.PLAY])
def test_nothing_is_open_before_the_deal_and_after_the_discard(stage: Stage) -> None:
    """Nobody is waited for and nothing is open where no hand is being passed."""
    then = what_next(Table(stage))

    assert () == then.waiting_for
    assert [(), (), (), ()] == [entry.acts for entry in then.seats]


def test_what_is_open_has_its_numbers() -> None:
    """An open act says what kind it is, whether it must be done, to whom it goes and how many tiles it is of."""
    table = parse_table("table at SECOND_RIGHT\nEAST rack J J 1b*4 2b*4 3b*4\nWEST rack 4b\nEAST owes NORTH 2")
    opening = parse_table("table at OPENING\nEAST rack 1b*4")

    assert (
        OpenAct(ActKind.REPLACE, must=True, receivers=(N,), tiles=2),
        OpenAct(ActKind.PASS, must=True, receivers=(S,), tiles=3, blind=3),
    ) == what_next(table).seats[Seat.EAST - 1].acts
    assert (OpenAct(ActKind.PASS, must=True, receivers=(N,), tiles=3, blind=3),) == what_next(table).seats[W - 1].acts
    assert (OpenAct(ActKind.DISCARD, must=True, tiles=1),) == what_next(opening).seats[E - 1].acts


def test_an_absent_east_draws_what_nobody_sees() -> None:
    """Where East is dealt thirteen her example draws a tile face down, and one tile is what she must draw."""
    lines = ("house east.13", "table at OPENING", "EAST rack 1b*4 2b*4 3b*4 4b")
    then = what_next(parse_table("\n".join(lines)))

    assert {"EAST": "EAST draws ? at OPENING"} == examples(*lines)
    assert (OpenAct(ActKind.DRAW, must=True, tiles=1),) == then.seats[E - 1].acts


def test_what_may_be_left_undone_says_so() -> None:
    """A stop, a declaration, a hand-back and a lower offer are open, and nobody must."""
    stop = parse_table("table at SECOND_LEFT\nEAST rack J 1b*4 2b*4 3b*4 4b")
    declared = parse_table("house east.declares\ntable at FIRST_RIGHT\nEAST rack 1b*4")
    offered = parse_table("table at COURTESY\nEAST rack 1b*4 | offer 2\nWEST rack 4b")

    assert OpenAct(ActKind.STOP, must=False) in what_next(stop).seats[E - 1].acts
    assert OpenAct(ActKind.HAND_BACK, must=False, receivers=(S, W, N), tiles=1) in what_next(stop).seats[E - 1].acts
    assert OpenAct(ActKind.DECLARE_MAHJONG, must=False) in what_next(declared).seats[E - 1].acts
    assert OpenAct(ActKind.OFFER, must=False, tiles=1) in what_next(offered).seats[E - 1].acts


def test_nobody_discards_what_lies_face_down_by_example() -> None:
    """There is no example where East's tiles lie face down."""
    assert {} == {
        entry.seat.name: entry.example
        for entry in what_next(parse_table("table at OPENING\nEAST rack ?*14")).seats
        if entry.example
    }
