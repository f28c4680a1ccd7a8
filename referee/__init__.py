"""The Charleston referee, in process: pure functions on immutable tables, which import the standard library only.

`judge(table, act)` gives a ruling and the table after it, `what_next(table)` what is open to each seat, and
`transition(before, after, acts)` whether one table can follow another. A table that comes from outside goes through
`table_faults` first, and an act through `act_faults`: what they yield is malformed and is not to be judged.
"""

from referee.judge import Judgement, judge
from referee.next import what_next
from referee.transition import transition
from referee.unreachable import act_faults, table_faults

__all__ = ["Judgement", "act_faults", "judge", "table_faults", "transition", "what_next"]
