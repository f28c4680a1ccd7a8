"""Replicas that are not the referee as it is: `python -m tests.deploy.loss.odd KIND serve …`.

An `upgraded` one serves a rulebook 2 beside 1: the same articles under the next number, as the release after the next
change of a rule will. A `lying` one judges rightly, and loses a tile of South's from the table that goes back.
"""

from __future__ import annotations

import sys


def upgraded() -> None:
    """Have every module of the referee serve two versions of the rulebook, and make its tables anew of the second."""
    from referee import table

    # Before the codec, which writes the heads of tables once, is there.
    table.NEWEST_RULEBOOK = 2
    import referee.__main__
    import referee.server

    assert referee.__main__ and referee.server
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "referee":
            for constant, value in (("NEWEST_RULEBOOK", 2), ("SERVED", (2, 1))):
                if hasattr(module, constant):
                    setattr(module, constant, value)


def lying() -> None:
    """Have the server lose a tile."""
    from collections.abc import Mapping

    from charleston.referee.v1 import service_pb2
    from referee import server
    from referee.service import Limits, Method, Reply, referee

    def methods(limits: Limits, key: bytes) -> Mapping[str, Method]:
        right = referee(limits, key)

        def judge(question: bytes, accepted: str) -> Reply:
            reply = right["Judge"](question, accepted)
            answer = service_pb2.JudgeResponse.FromString(reply.body)
            del answer.standing.table.south.rack[:1]
            return reply._replace(body=answer.SerializeToString())

        return {**right, "Judge": judge}

    server.referee = methods  # type: ignore[assignment, attr-defined]


if __name__ == "__main__":
    {"upgraded": upgraded, "lying": lying}[sys.argv[1]]()
    from referee.__main__ import main

    sys.exit(main(sys.argv[2:]))
