"""A game server for the Charleston: it asks a referee about every act, stores the tables, shows each player its view.

A player connects over TCP and says where it sits: "SOUTH hand 1". From then on each line is a message of the protocol's
own as JSON: the player sends a Question with an act, and gets an Answer with the ruling and its view of the table. What
the others do comes as an Answer without a question's id. A studio puts its own sessions and WebSockets here.
"""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Container, Iterable
from time import monotonic
from typing import TypeAlias, TypeVar

from google.protobuf import json_format
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from charleston import AsyncReferee, RefereeError
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2

from .tables import Store

Q = TypeVar("Q")
A = TypeVar("A")
Seat: TypeAlias = table_pb2.Seat.ValueType
SEATS: dict[str, Seat] = {name.removeprefix("SEAT_"): seat for name, seat in table_pb2.Seat.items() if seat}
NAMES = {seat: name for name, seat in SEATS.items()}
VIEWS = service_pb2.AnswerOptions(views=True)
# With these codes nobody has answered; with any other the question itself is wrong, and asking again is no use.
AWAY = {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED, StatusCode.CANCELLED}

INVALID = StatusCode.INVALID_ARGUMENT.value[0]


class GameServer:
    """Serves any number of hands; what has to outlive this process is in the store."""

    def __init__(
        self,
        referee: AsyncReferee,
        store: Store,
        deal: Callable[[], table_pb2.Deal],
        say: Callable[[str], None],
        patience: float = 30.0,
        grace: float = 5.0,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """Prepare to serve: a player has `patience` seconds for an act, and `grace` seconds once it has hung up."""
        self._referee, self._store, self._new_deal, self._say = referee, store, deal, say
        self._patience, self._grace, self._now = patience, grace, now
        self._players: dict[tuple[str, Seat], StreamWriter] = {}
        self._due: dict[tuple[str, Seat], float] = {}  # when the time of a seat that is waited for is up
        self._away = False

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve one player until it hangs up."""
        hand, seat = "", None
        try:
            name, _, hand = (await reader.readline()).decode().strip().partition(" ")
            if seat := SEATS.get(name):  # the session of a real server knows who may sit here
                await self._sit_down(hand, seat, writer)
                while line := await reader.readline():
                    await self._asked(hand, seat, line, writer)
        except (ConnectionError, ValueError):
            pass  # it went in the middle of a line, or sent one without end
        except RefereeError as error:
            self._say(f"the referee takes no question from here: {error}")
        finally:
            writer.close()
            if seat and self._players.get((hand, seat)) is writer:
                del self._players[hand, seat]
                if (hand, seat) in self._due:
                    self._say(f"{hand}: {NAMES[seat]} has hung up, and is waited for a little longer")
                    self._give_time(hand, seat)

    async def _sit_down(self, hand: str, seat: Seat, writer: StreamWriter) -> None:
        """Show a player its view, be it new or back again; deal when the fourth has sat down."""
        if old := self._players.get((hand, seat)):
            old.close()
        self._players[hand, seat] = writer  # from now on it is told of every act
        if (hand, seat) in self._due:
            self._give_time(hand, seat)
        version, table = await self._store.load(hand)
        question = service_pb2.WhatNextRequest(table=table, options=VIEWS)
        answer = await self._answered(self._referee.what_next, question)
        if version == (await self._store.load(hand))[0]:  # if not, it has been shown a newer view
            send(writer, judged=service_pb2.JudgeResponse(standing=view(answer.views, seat)))
            self._watch(hand, answer.standing.next.waiting_for)
        undealt = answer.standing.table.stage in (table_pb2.STAGE_UNDEALT, table_pb2.STAGE_THROWN_IN)
        if undealt and all((hand, each) in self._players for each in SEATS.values()):
            await self.deal(hand)

    async def _asked(self, hand: str, seat: Seat, line: bytes, writer: StreamWriter) -> None:
        """Answer a line of a player's."""
        question = service_pb2.Question()
        try:
            json_format.Parse(line, question)
            question.act.seat = seat  # nobody acts for another; a deal, which no seat makes, is refused as well
            if question.act.HasField("look"):
                question.act.look.ClearField("tiles")  # faces are found by looking, not by guessing
            await self.play(hand, question.act, question.question_id)
        except json_format.ParseError:
            send(writer, error=Status(code=INVALID, message="Each line is a Question as JSON."))
        except RefereeError as error:
            if error.code is not StatusCode.INVALID_ARGUMENT:
                raise
            send(writer, question.question_id, error=Status(code=INVALID, message=error.message))

    async def play(self, hand: str, act: table_pb2.Act, question_id: str = "") -> ruling_pb2.Ruling:
        """Have an act judged on the stored table, store the table after it, tell the players; return the ruling."""
        while True:
            version, table = await self._store.load(hand)
            question = service_pb2.JudgeRequest(table=table, act=act, options=VIEWS)
            answer = await self._answered(self._referee.judge, question)
            refused = answer.ruling.verdict == ruling_pb2.VERDICT_ILLEGAL
            if refused or await self._store.swap(hand, version, answer.standing.table):
                break
            self._say(f"{hand}: another act was stored first, so this one is judged again")
        for seat in [act.seat] if refused else SEATS.values():
            if writer := self._players.get((hand, seat)):
                told = service_pb2.JudgeResponse(standing=view(answer.views, seat))
                told.ruling.verdict = answer.ruling.verdict
                if seat == act.seat:
                    told.ruling.CopyFrom(answer.ruling)  # what else a ruling says names tiles of who acted
                send(writer, question_id if seat == act.seat else "", told)
        if not refused:
            self._watch(hand, answer.standing.next.waiting_for, act.seat)
        if answer.ruling.verdict == ruling_pb2.VERDICT_MISDEAL and not act.HasField("deal"):
            await self.deal(hand)
        return answer.ruling

    async def deal(self, hand: str) -> None:
        """Deal a hand; one that is misdealt is thrown in and dealt again."""
        for _ in range(3):
            _, table = await self._store.load(hand)
            ruling = await self.play(hand, table_pb2.Act(stage=table.stage, deal=self._new_deal()))
            if ruling.verdict != ruling_pb2.VERDICT_MISDEAL:
                return self._say(f"{hand}: the racks are dealt")
            self._say(f"{hand}: a misdeal. {ruling.broken[0].message}")
        raise RuntimeError("three misdeals one after another: it is our dealing that is wrong")

    async def _answered(self, ask: Callable[[Q], Awaitable[A]], question: Q) -> A:
        """Hold a question until a referee answers it: the same question, as often as it takes."""
        while True:
            try:
                answer = await ask(question)
                if self._away:
                    self._away = False
                    for late in self._due:
                        self._give_time(*late)
                return answer
            except RefereeError as error:
                if error.code not in AWAY:
                    raise
            if not self._away:
                self._say("no referee answers, so the act is held, and nobody's time runs out")
            self._away = True
            await asyncio.sleep(0.2)

    def _watch(self, hand: str, waiting: Container[Seat], actor: Seat | None = None) -> None:
        """Give each seat that is waited for its time, and one that has just acted new time."""
        for seat in SEATS.values():
            if seat not in waiting:
                self._due.pop((hand, seat), None)
            elif seat == actor or (hand, seat) not in self._due:
                self._give_time(hand, seat)

    def _give_time(self, hand: str, seat: Seat) -> None:
        here = (hand, seat) in self._players
        self._due[hand, seat] = self._now() + (self._patience if here else self._grace)

    async def keep_time(self) -> None:
        """Play the example act for players whose time is up, for as long as the server runs.

        If the player acts in the same moment, the referee refuses whichever act comes second.
        """
        while True:
            for hand, seat in [] if self._away else [key for key, due in self._due.items() if due <= self._now()]:
                self._give_time(hand, seat)
                _, table = await self._store.load(hand)
                answer = await self._answered(self._referee.what_next, service_pb2.WhatNextRequest(table=table))
                for each in answer.standing.next.seats:
                    if each.seat == seat and each.HasField("example"):
                        self._say(f"{hand}: {NAMES[seat]} is out of time, so the example is played")
                        await self.play(hand, each.example)
            await asyncio.sleep(0.05)


def view(views: Iterable[ruling_pb2.Standing], seat: Seat) -> ruling_pb2.Standing:
    """Return what a seat may see of a table."""
    viewer = ruling_pb2.Viewer.Value(f"VIEWER_{NAMES[seat]}")
    return next(each for each in views if each.viewer == viewer)


def send(
    writer: StreamWriter,
    question_id: str = "",
    judged: service_pb2.JudgeResponse | None = None,
    error: Status | None = None,
) -> None:
    """Send a player an answer, as a line of JSON."""
    answer = service_pb2.Answer(question_id=question_id, judged=judged, error=error)
    writer.write(json_format.MessageToJson(answer, indent=None).encode() + b"\n")
