"""A hand walked act by act: the table kept between calls, as a referee remembers none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Lock

from charleston.asking import AsyncReferee, Referee, Trace
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2


class _Kept:
    """The table of a hand, the last standing and all rulings; and what may change them."""

    def __init__(self, table: table_pb2.Table | None, options: service_pb2.AnswerOptions | None) -> None:
        """Start from a table, or from nothing dealt; `options` go with every question."""
        self._table = table_pb2.Table(stage=table_pb2.STAGE_UNDEALT)
        if table is not None:
            self._table.CopyFrom(table)
        self._options = options
        self._standing: ruling_pb2.Standing | None = None
        self._rulings: list[ruling_pb2.Ruling] = []

    @property
    def table(self) -> table_pb2.Table:
        """A copy of the table as it is now, for the game's own store."""
        copy = table_pb2.Table()
        copy.CopyFrom(self._table)
        return copy

    @property
    def standing(self) -> ruling_pb2.Standing | None:
        """The table and what comes next as last answered; None before the first answer."""
        return self._standing

    @property
    def rulings(self) -> Sequence[ruling_pb2.Ruling]:
        """The rulings on all acts so far, in order, those on illegal acts too."""
        return tuple(self._rulings)

    def _question(self, act: table_pb2.Act) -> service_pb2.JudgeRequest:
        """Return the question about an act; one that names no stage is made for the table's."""
        question = service_pb2.JudgeRequest(table=self._table, act=act, options=self._asked())
        if not act.stage:
            question.act.stage = self._table.stage
        return question

    def _asked(self) -> service_pb2.AnswerOptions:
        options = service_pb2.AnswerOptions()
        if self._options is not None:
            options.CopyFrom(self._options)
        options.ruling_only = False  # there would be no table to keep
        return options

    def _ruled(self, answer: service_pb2.JudgeResponse) -> service_pb2.JudgeResponse:
        """Keep an answer; the table after an illegal act is the table before it."""
        self._rulings.append(answer.ruling)
        self._stand(answer.standing)
        return answer

    def _stand(self, standing: ruling_pb2.Standing) -> None:
        self._standing = standing
        self._table.CopyFrom(standing.table)


class Hand(_Kept):
    """A hand whose acts are judged one after another; threads that share it wait for each other.

    What raises changes nothing, so the same act can be put again. To play from a stored table, store `table` after
    each act, and only if the stored one is still the one that the hand was made from.
    """

    def __init__(
        self,
        referee: Referee,
        table: table_pb2.Table | None = None,
        *,
        options: service_pb2.AnswerOptions | None = None,
    ) -> None:
        """Start from a table, or from nothing dealt; `options` go with every question."""
        super().__init__(table, options)
        self._referee = referee
        self._one_at_a_time = Lock()

    def act(
        self, act: table_pb2.Act, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.JudgeResponse:
        """Have an act judged, move on if the ruling lets it, and return the answer."""
        with self._one_at_a_time:
            return self._ruled(self._referee.judge(self._question(act), timeout=timeout, trace=trace))

    def what_next(self, *, timeout: float | None = None, trace: Trace | None = None) -> service_pb2.WhatNextResponse:
        """Ask how the hand stands and what comes next; a table whose counts are wrong is thrown in."""
        with self._one_at_a_time:
            question = service_pb2.WhatNextRequest(table=self._table, options=self._asked())
            answer = self._referee.what_next(question, timeout=timeout, trace=trace)
            self._stand(answer.standing)
            return answer


class AsyncHand(_Kept):
    """The same for coroutines: tasks that share a hand wait for each other."""

    def __init__(
        self,
        referee: AsyncReferee,
        table: table_pb2.Table | None = None,
        *,
        options: service_pb2.AnswerOptions | None = None,
    ) -> None:
        """Start from a table, or from nothing dealt; `options` go with every question."""
        super().__init__(table, options)
        self._referee = referee
        self._one_at_a_time = asyncio.Lock()

    async def act(
        self, act: table_pb2.Act, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.JudgeResponse:
        """Have an act judged, move on if the ruling lets it, and return the answer."""
        async with self._one_at_a_time:
            return self._ruled(await self._referee.judge(self._question(act), timeout=timeout, trace=trace))

    async def what_next(
        self, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.WhatNextResponse:
        """Ask how the hand stands and what comes next; a table whose counts are wrong is thrown in."""
        async with self._one_at_a_time:
            question = service_pb2.WhatNextRequest(table=self._table, options=self._asked())
            answer = await self._referee.what_next(question, timeout=timeout, trace=trace)
            self._stand(answer.standing)
            return answer
