"""The example game server: a hand with everything in it, the same each time, and players who mean no good."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import grpc
import pytest
from google.protobuf.message import Message

from charleston import AsyncReferee, RefereeError, Trace
from charleston.asking import A
from charleston.embedded import AsyncEmbeddedReferee
from charleston.notation import parse_act
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2
from clients.examples.gameserver.hand import DEALS, HAND, Hand, serve
from clients.examples.gameserver.players import Player
from clients.examples.gameserver.server import NAMES, GameServer
from clients.examples.gameserver.tables import Store, shuffled

ROOT = Path(__file__).parents[2]
TRANSCRIPT = ROOT / "clients" / "examples" / "gameserver" / "transcript.txt"
WRONG, RIGHT = (parse_act(deal).deal for deal in DEALS)
SOON = 60.0
SEATED = ("EAST", "SOUTH", "WEST", "NORTH")


class Served(NamedTuple):
    """A game server, the four players at it, and what it has said."""

    game: GameServer
    store: Store
    players: list[Player]
    said: list[str]


@asynccontextmanager
async def serving(
    referee: AsyncReferee,
    *deals: table_pb2.Deal,
    now: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Served]:
    """Serve players, four who have sat down and been dealt to."""
    said, wall = list[str](), iter(deals or [RIGHT])
    store = Store()
    game = GameServer(referee, store, lambda: next(wall), said.append, now=now)
    clock = asyncio.create_task(game.keep_time())
    async with await asyncio.start_server(game.serve, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        players = [Player(seat, HAND, port) for seat in SEATED]
        try:
            for player in players:
                await player.sit_down()
            for player in players:
                await player.sees(table_pb2.STAGE_FIRST_RIGHT)
            yield Served(game, store, players, said)
        finally:
            for player in players:
                await player.hang_up()
            clock.cancel()


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test of coroutines to its end."""

    async def bounded() -> None:
        async with asyncio.timeout(SOON):
            await test()

    asyncio.run(bounded())


def played(*address: str) -> str:
    """Run the example as a program; return what it prints."""
    command = [sys.executable, "-m", "clients.examples.gameserver.hand", *address]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)

    assert (0, "") == (ended.returncode, ended.stderr)
    return ended.stdout


def test_the_hand_goes_as_the_transcript_tells() -> None:
    """The example starts its referee, kills it in mid-hand, and prints the same as the one in TypeScript."""
    assert TRANSCRIPT.read_text(encoding="utf-8") == played(), "if it should, write what it prints to transcript.txt"


def test_a_referee_of_somebody_else_is_not_killed(address: str) -> None:
    """With the address of a referee the same hand is played, and only the killing is left out."""
    expected = TRANSCRIPT.read_text(encoding="utf-8").splitlines()
    killing = [line for line in expected if "no referee answers" in line or "the table as it was" in line]

    assert 2 == len(killing)
    assert [line for line in expected if line not in killing] == played(address).splitlines()


def test_a_player_is_told_what_it_may_know_and_no_more() -> None:
    """In a whole hand nobody is sent a face of another seat, nor a word of another's ruling but the verdict."""
    hand = Hand(None)
    run(lambda: serve(hand, AsyncEmbeddedReferee()))
    for player in hand.players:
        own = [answer.judged.ruling for answer in player.told if answer.question_id]
        others = [answer.judged.ruling for answer in player.told if not answer.question_id]

        assert len(own) > 5 and len(others) > 20
        assert set() == {face for answer in player.told for face in foreign(player.seat, answer)}
        assert all(ruling.message for ruling in own)
        assert all(ruling == ruling_pb2.Ruling(verdict=ruling.verdict) for ruling in others)


def foreign(seat: str, answer: service_pb2.Answer) -> set[int]:
    """Return the faces that an answer shows of other seats' tiles, and of tiles coming in to its own."""
    table = answer.judged.standing.table
    faces: set[int] = set()
    for name in NAMES.values():
        place = getattr(table, name.lower())
        faces |= {*place.incoming} | ({*place.rack, *place.set_out.tiles} if name != seat else set())
    return faces - {table_pb2.TILE_HIDDEN}


def test_a_player_acts_for_itself_and_sees_nothing_by_guessing() -> None:
    """An act is its sender's whatever it says, a deal is refused, and a look that names tiles is only a look."""

    async def test() -> None:
        async with serving(AsyncEmbeddedReferee()) as served:
            east, south, west, north = served.players
            sneaky = parse_act("EAST passes 1b 2b R at FIRST_RIGHT")  # South's tiles
            assert ruling_pb2.VERDICT_LEGAL == (await south.ask(sneaky)).verdict
            _, table = await served.store.load(HAND)
            assert table.south.HasField("set_out") and not table.east.HasField("set_out")

            dealt = await south.asked(table_pb2.Act(stage=table_pb2.STAGE_FIRST_RIGHT, deal=RIGHT))
            assert grpc.StatusCode.INVALID_ARGUMENT.value[0] == dealt.error.code

            for player, words in ((east, "passes 6c S W"), (west, "passes 1c 7c W"), (north, "passes 1b 2b 7b")):
                await player.ask(player.means(words))
            guess = parse_act("SOUTH looks 1d 1d 1d at FIRST_RIGHT")
            assert ruling_pb2.VERDICT_LEGAL == (await south.ask(guess)).verdict

    run(test)


@pytest.mark.parametrize("line", ["", "nonsense", "[" * 1000, '{"act": 3}', '{"table": {}}', "\U0001f004"])
def test_a_line_that_is_no_question_is_answered_with_an_error(line: str) -> None:
    """Whatever a player sends, it gets an error, and may go on."""

    async def test() -> None:
        async with serving(AsyncEmbeddedReferee()) as served:
            east = served.players[0]
            known = len(east.told)
            east.send(line)
            await east.until(lambda: len(east.told) > known)

            assert grpc.StatusCode.INVALID_ARGUMENT.value[0] == east.told[-1].error.code
            assert ruling_pb2.VERDICT_LEGAL == (await east.ask(east.means("passes 6c S W"))).verdict

    run(test)


def test_a_line_without_end_hangs_up_and_nobody_else_notices() -> None:
    """A player who sends a line that is too long loses the connection; the others play on, and it may come back."""

    async def test() -> None:
        async with serving(AsyncEmbeddedReferee()) as served:
            east, south, *_ = served.players
            east.send("x" * 1_000_000)
            await east.gone()
            assert ruling_pb2.VERDICT_LEGAL == (await south.ask(south.means("passes 1b 2b R"))).verdict
            await east.sit_down()
            assert east.view.south.HasField("set_out")

    run(test)


def test_who_sits_down_elsewhere_leaves_the_old_connection() -> None:
    """A player who connects a second time is served there, the first connection is closed, and no time is lost."""

    async def test() -> None:
        async with serving(AsyncEmbeddedReferee()) as served:
            east = served.players[0]
            again = Player("EAST", HAND, east.port)
            await again.sit_down()
            await east.gone()

            assert ruling_pb2.VERDICT_LEGAL == (await again.ask(again.means("passes 6c S W"))).verdict
            assert [f"{HAND}: the racks are dealt"] == served.said
            await again.hang_up()

    run(test)


def test_a_table_that_has_lost_a_tile_is_thrown_in_and_dealt_again() -> None:
    """A wrong count found in mid-hand is a misdeal: the act's player hears it, and everybody is dealt a new hand."""

    async def test() -> None:
        async with serving(AsyncEmbeddedReferee(), RIGHT, RIGHT) as served:
            east, south, *_ = served.players
            version, table = await served.store.load(HAND)
            del table.south.rack[0]
            await served.store.swap(HAND, version, table)
            ruling = await east.ask(east.means("passes 6c S W"))
            await south.until(lambda: 13 == len(south.view.south.rack))

            assert ruling_pb2.VERDICT_MISDEAL == ruling.verdict
            assert 12 == ruling.misdeal.counts[0].counted
            assert table_pb2.STAGE_FIRST_RIGHT == south.view.stage

    run(test)


def test_dealing_that_is_always_wrong_ends() -> None:
    """After three misdeals in a row it is the server's own dealing that is wrong, and it says so."""
    game = GameServer(AsyncEmbeddedReferee(), Store(), lambda: WRONG, lambda line: None)
    with pytest.raises(RuntimeError, match="it is our dealing"):
        asyncio.run(game.deal(HAND))


def test_a_late_player_and_its_example_are_not_both_played() -> None:
    """If a player acts when its example has been played, it is refused; tiles are passed once."""

    async def test() -> None:
        async with serving(AsyncEmbeddedReferee()) as served:
            east = served.players[0]
            act = east.means("passes 6c S W")
            rulings = await asyncio.gather(served.game.play(HAND, act), east.ask(act))

            assert [ruling_pb2.VERDICT_LEGAL, ruling_pb2.VERDICT_ILLEGAL] == [ruling.verdict for ruling in rulings]
            assert 11 == len(east.view.east.rack)

    run(test)


class Absent(AsyncEmbeddedReferee):
    """A referee that does not answer while it is away, and counts how often it was asked."""

    away = False
    asked = 0

    async def _ask(
        self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None
    ) -> A:
        self.asked += 1
        if self.away:
            raise RefereeError(grpc.StatusCode.UNAVAILABLE, "away")
        return await super()._ask(method, question, answer, timeout, trace)


def test_nobodys_time_runs_out_while_no_referee_answers() -> None:
    """However long a referee is away, the act that is held is judged, and no example is played in its place."""
    later = 0.0

    async def test() -> None:
        nonlocal later
        referee = Absent()
        async with serving(referee, now=lambda: time.monotonic() + later) as served:
            east = served.players[0]
            referee.away = True
            asked = asyncio.create_task(east.ask(east.means("passes 6c S W")))
            asked_before = referee.asked
            while referee.asked < asked_before + 5:  # a held question is asked again every now and then
                later += 1000
                await asyncio.sleep(0.01)
            referee.away = False

            assert ruling_pb2.VERDICT_LEGAL == (await asked).verdict
            assert [line for line in served.said if "no referee answers" in line] == served.said[1:]
            assert 2 == len(served.said)

    run(test)


def test_a_player_who_is_there_and_does_nothing_is_played_for() -> None:
    """When its time is up, a connected player's example is played as well, and it is shown the table after it."""
    later = 0.0

    async def test() -> None:
        nonlocal later
        async with serving(AsyncEmbeddedReferee(), now=lambda: time.monotonic() + later) as served:
            later = 31.0
            east = served.players[0]
            await east.until(lambda: bool(east.view.east.incoming))

            assert [f"{HAND}: {seat} is out of time, so the example is played" for seat in SEATED] == served.said[1:]

    run(test)


def test_the_wall_is_a_whole_set() -> None:
    """A shuffled deal gives East fourteen tiles and the others thirteen, of a set of 152, never twice the same."""
    deals = [shuffled() for _ in range(50)]
    racks = [[deal.east.tiles, deal.south.tiles, deal.west.tiles, deal.north.tiles] for deal in deals]

    assert all([14, 13, 13, 13] == [len(rack) for rack in each] for each in racks)
    assert len(deals) == len({deal.SerializeToString() for deal in deals})
    for each in racks:
        faces = Counter(tile for rack in each for tile in rack)
        assert all(copies <= (8 if face >= table_pb2.TILE_FLOWER else 4) for face, copies in faces.items())
