"""A player's front end: it shows what the game server tells, and sends what the player wants to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count

from google.protobuf import json_format

from charleston.notation import parse_act, table_text
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2


class Player:
    """A front end: a connection to the game server, and all that it was told."""

    def __init__(self, seat: str, hand: str, port: int) -> None:
        """Prepare to sit down; the game server is on this machine."""
        self.seat, self._hand, self.port = seat, hand, port
        self.told: list[service_pb2.Answer] = []
        self._writer: asyncio.StreamWriter | None = None
        self._ids = count(1)
        self._news = asyncio.Condition()

    @property
    def view(self) -> table_pb2.Table:
        """The table as it was shown last."""
        return next(answer.judged.standing.table for answer in reversed(self.told) if answer.HasField("judged"))

    async def sit_down(self) -> None:
        """Connect, and wait for the view."""
        known = len(self.told)
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.send(f"{self.seat} {self._hand}")
        self._listening = asyncio.create_task(self._listen(reader))
        await self.until(lambda: len(self.told) > known)

    async def hang_up(self) -> None:
        """Lose the connection, if there is one."""
        if self._writer:
            self._writer.close()
            await self.gone()

    async def gone(self) -> None:
        """Wait until the connection is lost."""
        await self._listening

    def means(self, words: str) -> table_pb2.Act:
        """Read an act, which is for the stage that this player sees."""
        act = parse_act(f"{self.seat} {words}")
        act.stage = self.view.stage
        return act

    async def asked(self, act: table_pb2.Act) -> service_pb2.Answer:
        """Send an act, and wait for the answer."""
        question = service_pb2.Question(question_id=f"{self.seat} {next(self._ids)}", act=act)
        self.send(json_format.MessageToJson(question, indent=None))

        def answers() -> list[service_pb2.Answer]:
            return [answer for answer in self.told if answer.question_id == question.question_id]

        await self.until(lambda: bool(answers()))
        return answers()[0]

    async def ask(self, act: table_pb2.Act) -> ruling_pb2.Ruling:
        """Send an act, and wait for the ruling."""
        return (await self.asked(act)).judged.ruling

    async def act(self, words: str) -> None:
        """Act, and print what the referee says."""
        self.show(words, await self.ask(self.means(words)))

    def show(self, words: str, ruling: ruling_pb2.Ruling) -> None:
        """Print an act and its ruling."""
        print(f"  {f'{self.seat} {words}':<40}{name(ruling)}")
        for finding in ruling.broken:
            print(f"    {finding.rule}: {finding.message}")

    def show_view(self) -> None:
        """Print the table as this player sees it."""
        print(f"  {self.seat} sees")
        for line in table_text(self.view).splitlines():
            print(f"    {line}")

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait until something that this player was told has happened."""
        async with asyncio.timeout(60), self._news:
            await self._news.wait_for(happened)

    async def sees(self, stage: table_pb2.Stage.ValueType) -> None:
        """Wait until this player sees a stage."""
        await self.until(lambda: self.view.stage == stage)

    def send(self, line: str) -> None:
        """Send a line."""
        assert self._writer, "who has not sat down does not act"
        self._writer.write(f"{line}\n".encode())

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while line := await reader.readline():
                async with self._news:
                    self.told.append(json_format.Parse(line, service_pb2.Answer()))
                    self._news.notify_all()


def name(ruling: ruling_pb2.Ruling) -> str:
    """Return the name of a verdict."""
    return ruling_pb2.Verdict.Name(ruling.verdict).removeprefix("VERDICT_")
