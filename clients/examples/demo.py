"""`make demo`: start a referee, ask it over the wire about a hand, a misdeal and 98 games, and show what it says."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from charleston import Hand, RefereeClient, RefereeError
from charleston.commands.judging import Judged, Replayed, replay
from charleston.commands.question import Game, read_game
from charleston.commands.source import WrongQuestion
from charleston.paint import Paint, left
from charleston.picture import picture
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GAMES = ROOT / "tests" / "real" / "games"
WIDE = 96
ABOUT = """\
Every hand of American Mah Jongg opens with the Charleston: the players pass each other tiles that they do not
want, three at a time, to the right, across and to the left. A game server shows the referee a table and an act;
the referee answers whether the act is lawful, which rule says so, what it costs and what comes next."""
TILES = "Tiles: 1b-9b bams, 1c-9c craks, 1d-9d dots, E S W N winds, R G O dragons, F flowers, J Jokers."
CURL = """\
make serve
.venv/bin/buf curl --protocol grpc --http2-prior-knowledge -d @clients/examples/request.json \\
    http://127.0.0.1:50051/charleston.referee.v1.RefereeService/Judge"""


class Failed(Exception):
    """Why the demo cannot go on, as a sentence."""


@contextmanager
def serving() -> Iterator[str]:
    """Run a referee on free ports while the block lasts, and give its address."""
    command = [sys.executable, "-m", "referee", "serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
    with subprocess.Popen([*command, "--log", "off"], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            with _in_time(server):
                first = server.stdout.readline()  # the first line of the log says which ports are open
            if not first:
                raise Failed("The referee did not start.")
            yield json.loads(first)["address"]
        finally:
            with _in_time(server):
                server.terminate()
                server.wait()
    if server.returncode:
        raise Failed(f"The referee did not stop as it should: status {server.returncode}.")


@contextmanager
def _in_time(server: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kill the server if the block lasts too long."""
    patience = Timer(30, server.kill)
    patience.start()
    try:
        yield
    finally:
        patience.cancel()


class Rows:
    """Acts and verdicts, two in a row, each stage named once."""

    def __init__(self, paint: Paint) -> None:
        """Begin with none."""
        self._paint = paint
        self._stage = self._label = ""
        self._told: list[str] = []

    def add(self, stage: str, told: str) -> None:
        """Add an act; another stage begins another row."""
        if stage != self._stage:
            self.end()
            self._stage = self._label = stage
        self._told.append(told)

    def end(self) -> None:
        """Print what has been added."""
        for at in range(0, len(self._told), 2):
            row = "".join(left(each, 41) for each in self._told[at : at + 2])
            print(f"{left(self._paint('quiet', self._label), 14)}{row}".rstrip())
            self._label = ""
        self._told = []


class Demo:
    """The screen, part by part."""

    def __init__(self, referee: RefereeClient, paint: Paint) -> None:
        """Fetch the rulebook, for the titles of its articles."""
        self._referee = referee
        self._paint = paint
        self._articles = {each.id: each for each in referee.get_rulebook(service_pb2.GetRulebookRequest()).articles}

    def about(self, address: str) -> None:
        """Say what this is, and where the referee listens."""
        self._heading("The Charleston referee")
        self._say(ABOUT)
        print()
        print(f"A referee listens on {address}. All that follows was asked of it over gRPC.")

    def hand(self) -> None:
        """Tell one hand act by act, drawing the table when it is dealt and when a Joker is caught."""
        self._heading("One hand, act by act")
        print(TILES)
        rows = Rows(self._paint)
        hand = Hand(self._referee)
        for entry in read_game(str(HERE / "hand.charleston")).entries:
            assert isinstance(entry.what, table_pb2.Act)
            answer = hand.act(entry.what)
            if entry.what.HasField("deal"):
                self._table(hand.table)
                continue
            stage = table_pb2.Stage.Name(entry.what.stage).removeprefix("STAGE_").replace("_", " ")
            act = entry.text.partition(" at ")[0]
            rows.add(stage, f"{left(act, 25)}{self._verdict(answer.ruling)}")
            if answer.ruling.broken:
                rows.end()
                self._say(answer.ruling.message, "  ")
                if answer.ruling.HasField("joker_return"):
                    self._table(hand.table)
        rows.end()
        self._say(answer.ruling.message, "  ")

    def misdeal(self) -> None:
        """Show what a wrong count costs."""
        self._heading("One misdeal")
        (step,) = self._replay(read_game(str(HERE / "misdeal.charleston"))).judged
        print(f"Everyone is dealt thirteen tiles: {self._verdict(step.ruling)}")
        self._say(step.ruling.message, "  ")
        for rule in step.ruling.rests_on:
            self._say(f"It rests on a reading of the rules: {self._articles[rule].reading}", "  ")

    def games(self) -> None:
        """Judge the games of other programs and count what those let through."""
        self._heading("Games of other people's programs")
        games = [read_game(str(path)) for path in sorted(GAMES.glob("*.charleston"))]
        if not games:
            raise Failed(f"There are no games in {GAMES.relative_to(ROOT)}.")
        begun = time.perf_counter()
        replayed = [self._replay(game) for game in games]
        took = time.perf_counter() - begun
        acts = sum(len(each.judged) for each in replayed)
        lawful = sum(each.lawful for each in replayed)
        firsts = [next(step for step in each.judged if not step.lawful) for each in replayed if not each.lawful]
        print(f"{len(games)} games, {acts} acts judged, a call for each game.")
        print(f"It took {took:.2f} seconds.")
        through = f"In {len(firsts)} the program let something through, first of all this:"
        print(f"{lawful} are lawful from deal to end. {through}")
        print()
        self._counts(firsts)

    def yourself(self) -> None:
        """Say how to ask."""
        self._heading("Ask it yourself")
        print(CURL)

    def _replay(self, game: Game) -> Replayed:
        return replay(self._referee, game)

    def _counts(self, firsts: list[Judged]) -> None:
        rules = Counter(rule for step in firsts for rule in {finding.rule for finding in step.ruling.broken})
        order = list(self._articles)
        for rule, number in sorted(rules.items(), key=lambda each: (-each[1], order.index(each[0]))):
            article = self._articles[rule]
            bar = self._paint(ruling_pb2.Verdict.Name(article.verdict).removeprefix("VERDICT_"), "█" * number)
            print(f"{number:>4}  {left(bar, 12)} {rule:<17}{article.title}")

    def _heading(self, text: str) -> None:
        print()
        print(f"{self._paint('title', text)} {self._paint('quiet', '─' * (WIDE - len(text) - 1))}")

    def _say(self, text: str, indent: str = "") -> None:
        print(textwrap.fill(text, WIDE, initial_indent=indent, subsequent_indent=indent))

    def _table(self, table: table_pb2.Table) -> None:
        print(f"\n{picture(table, self._paint)}\n")

    def _verdict(self, ruling: ruling_pb2.Ruling) -> str:
        word = ruling_pb2.Verdict.Name(ruling.verdict).removeprefix("VERDICT_")
        return self._paint(word, word)


def main() -> int:
    """Show everything; return the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace", line_buffering=True)
    try:
        with serving() as address, RefereeClient(address) as referee:
            demo = Demo(referee, Paint.on(sys.stdout))
            demo.about(address)
            demo.hand()
            demo.misdeal()
            demo.games()
            demo.yourself()
    except (Failed, RefereeError, WrongQuestion) as why:
        print(f"demo: {why}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
