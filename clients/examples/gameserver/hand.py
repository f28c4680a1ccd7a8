"""One hand that has everything in it, by four players: `python -m clients.examples.gameserver.hand [ADDRESS]`.

Without the address of a referee one is started, and killed in the middle of the hand.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from time import monotonic

from charleston import AsyncReferee, AsyncRefereeClient
from charleston.notation import parse_act, table_text
from charleston.referee.v1 import table_pb2

from .players import Player, name
from .server import GameServer
from .tables import Store

HAND = "hand 1"
# The wall is stacked, so that the hand goes the same way each time; and at first East is dealt a tile too few.
REST = (
    "SOUTH 1b 2b 1c 4c 9c 9d E N R O F F F / WEST 1b 5b 1c 2c 7c 7c 8c 1d 4d 5d 6d 8d W"
    " / NORTH 1b 2b 7b 9b 1c 4c 5c 2d 2d 2d W G J"
)
DEALS = [
    f"deal EAST 8b 2c 6c 1d 5d 7d 9d 9d S S W N F / {REST}",
    f"deal EAST 8b 2c 6c 1d 5d 7d 9d 9d S S W N F J / {REST}",
]


class Meeting(Store):
    """A store in which two readers can be made to meet, so that both act on the same table."""

    meeting: asyncio.Barrier | None = None

    async def load(self, hand: str) -> tuple[int, table_pb2.Table]:
        """Return what is stored; if a meeting has been called, wait for the other reader first."""
        stored = await super().load(hand)
        if meeting := self.meeting:
            if meeting.n_waiting:
                self.meeting = None  # the other one has come, and whoever reads next waits for nobody
            await meeting.wait()
        return stored


class OurReferee:
    """A referee in a process of its own."""

    _process: Process | None = None
    address = "127.0.0.1:0"

    async def start(self) -> None:
        """Start it: on a free port, and when it comes back on the same one."""
        command = ["-m", "referee", "serve", "--listen", self.address, "--metrics", "", "--log", "off"]
        self._process = await create_subprocess_exec(sys.executable, *command, stdout=PIPE)
        assert self._process.stdout is not None
        first = await self._process.stdout.readline()  # the first line of its log says where it listens
        if not first:
            raise SystemExit("hand: the referee did not start")
        self.address = json.loads(first)["address"]

    async def kill(self) -> None:
        """End it at once, as kill -9 does."""
        if self._process and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


class Hand:
    """The hand, scene by scene, and what the game server has from outside: the store, the wall, the time, a log."""

    def __init__(self, ours: OurReferee | None) -> None:
        """Begin; only a referee that is ours is killed."""
        self.store = Meeting()
        self.players: list[Player] = []
        self._ours, self._said = ours, list[str]()
        self._deals, self._skipped = iter(DEALS), 0.0

    def deal(self) -> table_pb2.Deal:
        """Deal from the stacked wall."""
        return parse_act(next(self._deals)).deal

    def now(self) -> float:
        """Return the time, with what has been skipped so that nobody has to wait for it."""
        return monotonic() + self._skipped

    def say(self, line: str) -> None:
        """Print what the game server has to say."""
        print(f"  server: {line}")
        self._said.append(line)

    async def hears(self, words: str) -> None:
        """Wait until the game server has said something."""
        async with asyncio.timeout(60):
            while not any(words in line for line in self._said):
                await asyncio.sleep(0.01)

    async def play(self, port: int) -> None:
        """Play it from the deal to East's discard, at the game server on this port."""
        self.players = [Player(seat, HAND, port) for seat in ("EAST", "SOUTH", "WEST", "NORTH")]
        east, south, west, north = self.players
        scene("Four players sit down: a misdeal, and the new deal")
        for player in self.players:
            await player.sit_down()
        await self.all_see(table_pb2.STAGE_FIRST_RIGHT)

        scene("What South sees")
        south.show_view()

        scene("Two acts at once")
        before, _ = await self.store.load(HAND)
        passes = ("passes 6c S W", "passes 1b 2b R")
        self.store.meeting = asyncio.Barrier(2)
        rulings = await asyncio.gather(east.ask(east.means(passes[0])), south.ask(south.means(passes[1])))
        east.show(passes[0], rulings[0])
        south.show(passes[1], rulings[1])
        after, _ = await self.store.load(HAND)
        print(f"  stored: {after - before} tables, one after the other")

        scene("North hangs up, runs out of time, and comes back")
        await west.act("passes 1c 7c W")
        await north.hang_up()
        await self.hears("NORTH has hung up")
        self._skipped += 10
        await east.until(lambda: bool(east.view.east.incoming))
        await north.sit_down()
        north.show_view()
        await self.all_look()

        scene("A retry that comes late")
        await east.act("passes 7d 9d N")
        late = parse_act("EAST passes 6c S W at FIRST_RIGHT")
        east.show("passes 6c S W (again)", await east.ask(late))

        scene("A Joker is passed, goes back, and is paid for")
        await north.act("passes 9b G J")
        await south.until(lambda: bool(south.view.debts))
        print(f"  SOUTH hears {name(south.told[-1].judged.ruling)}")
        south.show_view()
        await north.act("replaces W")
        await south.act("hands back 1 J to NORTH")
        await south.act("passes 4c O 6c")
        await west.act("passes 1b 5b 8c")
        await self.all_look()

        scene("The referee is killed, and comes back")
        await east.act("passes 2c 1d S")
        await south.act("passes 9c N G")
        words = "passes 7d 9d N"
        if self._ours:
            stored = await self.store.load(HAND)
            await self._ours.kill()
            asked = asyncio.create_task(west.ask(west.means(words)))
            await self.hears("no referee answers")
            print(f"  stored: {'the table as it was' if stored == await self.store.load(HAND) else 'another table'}")
            await self._ours.start()
            west.show(words, await asked)
        else:
            await west.act(words)
        await north.act("passes 7c W blind 1")
        await self.all_look()

        scene("The second Charleston is stopped")
        await east.act("passes 1b 2b 7b")
        await south.act("stops")
        await self.all_see(table_pb2.STAGE_COURTESY)
        east.show_view()

        scene("The courtesy")
        for player, number in zip(self.players, (2, 0, 1, 3), strict=True):
            await player.act(f"offers {number}")
        await east.act("passes 8b")
        await west.act("passes 4d")
        await east.act("looks")
        await west.act("looks")
        await self.all_see(table_pb2.STAGE_OPENING)

        scene("East discards, and the hand is played on elsewhere")
        await east.act("discards 5b")
        await self.all_see(table_pb2.STAGE_PLAY)
        for player in self.players:
            print(*(f"  {line}" for line in table_text(player.view).splitlines() if line.startswith(player.seat)))

    async def all_look(self) -> None:
        """Let everybody look, one after another."""
        stage = self.players[0].view.stage
        rulings = [await player.ask(player.means("looks")) for player in self.players]
        print(f"  {'all four look':<40}{', '.join(sorted(set(map(name, rulings))))}")
        await self.all_see(table_pb2.Stage.ValueType(stage + 1))

    async def all_see(self, stage: table_pb2.Stage.ValueType) -> None:
        """Wait until everybody sees a stage."""
        for player in self.players:
            await player.sees(stage)


def scene(title: str) -> None:
    """Print what comes now."""
    print(f"\n{title}")


async def serve(hand: Hand, referee: AsyncReferee) -> None:
    """Serve the hand while it is played."""
    game = GameServer(referee, hand.store, hand.deal, hand.say, now=hand.now)
    async with asyncio.TaskGroup() as tasks, await asyncio.start_server(game.serve, "127.0.0.1", 0) as server:
        clock = tasks.create_task(game.keep_time())
        try:
            await hand.play(server.sockets[0].getsockname()[1])
        finally:
            for player in hand.players:
                await player.hang_up()
            clock.cancel()


async def main(address: str = "") -> None:
    """Play the hand with the referee at an address, or with one of our own."""
    ours = None if address else OurReferee()
    try:
        if ours:
            await ours.start()
            address = ours.address
        async with AsyncRefereeClient(address) as referee:
            await serve(Hand(ours), referee)
    finally:
        if ours:
            await ours.kill()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:2]))
