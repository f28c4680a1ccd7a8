"""A load from the TypeScript client, in Node."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

from charleston.referee.v1 import service_pb2
from tests.deploy.loss.hands import Hand
from tests.deploy.loss.load import PLAYERS, SOON, Asked, Load

PROGRAM = Path(__file__).with_name("players.mjs")


class NodePlayers(Load):
    """Players in a process of Node; they need clients/typescript built."""

    def __init__(self, place: Path, addresses: Sequence[str], hands: Sequence[Hand], *, rate: float) -> None:
        """Begin, as Players do; the hands go through files in `place`."""
        super().__init__()
        self._place = place
        line = ["node", str(PROGRAM), ",".join(addresses), str(rate), str(PLAYERS)]
        self._node = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self.deal(hands)

    def deal(self, hands: Sequence[Hand]) -> None:
        """From now on begin these hands; those that are being played are played to their end."""
        path = self._place / f"hands-{len(list(self._place.glob('hands-*')))}.json"
        path.write_text(json.dumps([[(_text(turn.question), _text(turn.answer)) for turn in hand] for hand in hands]))
        assert self._node.stdin
        print(path, file=self._node.stdin, flush=True)

    def stop(self) -> list[Asked]:
        """Finish what is open, and return all that was asked."""
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.close()
        self._reader.join(SOON)
        if self._reader.is_alive():
            self._node.kill()
            raise TimeoutError("the players in Node did not finish what was open")
        self._node.stdout.close()
        if status := self._node.wait(SOON):
            raise RuntimeError(f"the players in Node ended with {status}")
        return self._asked

    def _read(self) -> None:
        assert self._node.stdout
        for line in self._node.stdout:
            self.tell(Asked(*json.loads(line)))


def _text(message: service_pb2.JudgeRequest | service_pb2.JudgeResponse) -> str:
    return b64encode(message.SerializeToString()).decode()
