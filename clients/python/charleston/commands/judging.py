"""Games judged act by act, and what their logs claim compared with the table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from charleston.asking import Referee
from charleston.commands.question import Entry, Game, refused
from charleston.errors import RefereeError
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2
from referee.notation import Claim
from referee.tiles import Tiles, unnamed

REFUSED = ruling_pb2.VERDICT_ILLEGAL


@dataclass(frozen=True, slots=True)
class Judged:
    """An act and the ruling on it."""

    entry: Entry
    ruling: ruling_pb2.Ruling

    @property
    def lawful(self) -> bool:
        """Whether nothing is broken."""
        return not self.ruling.broken


@dataclass(frozen=True, slots=True)
class Compared:
    """A claim and the table: tiles that it names and the rack has not, and the other way round; and how the table came
    about since the claims before it."""

    entry: Entry
    claim: Claim
    missing: Tiles
    beyond: Tiles
    since: service_pb2.JudgeTransitionRequest

    @property
    def lawful(self) -> bool:
        """Whether the claim holds."""
        return not self.missing and not self.beyond


@dataclass(frozen=True, slots=True)
class Replayed:
    """A game, as far as it was judged; `standing` is None where the question wanted rulings only."""

    game: Game
    steps: tuple[Judged | Compared, ...]
    standing: ruling_pb2.Standing | None

    @property
    def lawful(self) -> bool:
        """Whether nothing in it is broken and every claim holds."""
        return all(step.lawful for step in self.steps)

    @property
    def judged(self) -> list[Judged]:
        """The acts that were judged."""
        return [step for step in self.steps if isinstance(step, Judged)]

    @property
    def compared(self) -> list[Compared]:
        """The claims that were compared."""
        return [step for step in self.steps if isinstance(step, Compared)]


def replay(door: Referee, game: Game, *, skip_illegal: bool = False) -> Replayed:
    """Ask about a game: up to each claim its acts in one question, and then whether the claim holds."""
    steps: list[Judged | Compared] = []
    asked = service_pb2.ReplayRequest()
    asked.CopyFrom(game.asked)
    asked.skip_illegal |= skip_illegal
    standing = None
    since = _from(asked)
    for claims, group in groupby(game.entries, key=lambda entry: isinstance(entry.what, Claim)):
        entries = tuple(group)
        if claims:
            steps += [_compared(entry, since) for entry in entries]
            continue
        since = _from(asked)
        del asked.acts[:]
        asked.acts.extend(entry.what for entry in entries if not isinstance(entry.what, Claim))
        try:
            answer = door.replay(asked)
        except RefereeError as error:
            raise refused(game.name, error, entries) from None
        steps += map(Judged, entries, answer.rulings)
        if answer.HasField("standing"):
            standing = answer.standing
            asked.table.CopyFrom(answer.standing.table)
            since.after.CopyFrom(asked.table)
        played = (act for act, ruling in zip(asked.acts, answer.rulings, strict=False) if ruling.verdict != REFUSED)
        since.acts.acts.extend(played)
        if answer.rulings[-1].verdict == REFUSED and not asked.skip_illegal:
            break
    return Replayed(game, tuple(steps), standing)


def _from(asked: service_pb2.ReplayRequest) -> service_pb2.JudgeTransitionRequest:
    table = asked.table if asked.HasField("table") else None
    return service_pb2.JudgeTransitionRequest(before=table, after=table, acts=service_pb2.Acts())


def _compared(entry: Entry, since: service_pb2.JudgeTransitionRequest) -> Compared:
    claim = entry.what
    assert isinstance(claim, Claim), "only a claim is compared"
    place: table_pb2.Place = getattr(since.after, claim.seat.name.lower())
    rack = bytes(place.rack)
    return Compared(entry, claim, unnamed(rack, claim.tiles)[0], unnamed(claim.tiles, rack)[0], since)
