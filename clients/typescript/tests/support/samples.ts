/** Games to check: a lawful one, one with faults, one whose log claims what is not so; and a list of known faults. */

import { actsOf, create, parseGame, ReplayRequestSchema, toJsonString } from "charleston-referee";
import { read } from "./repository.js";

export const LAWFUL = read("tests/real/games/001.charleston");
/** Line 11 passes a Joker, and line 12 looks before the tiles have moved. */
export const JOKER = read("clients/examples/hand.charleston");
/** South has got 8c and 4b, and its log says 1b and O; of North's rack the log leaves out the 1b. */
export const CLAIMS = `# what the log of a program says
${LAWFUL.split("\n").find((line) => line.startsWith("deal"))}
SOUTH passes 7c 6b 7b
EAST passes 8c 4b R
NORTH passes 7b 3d 9c
WEST passes 3c O 1b
everyone looks
EAST holds 7c E 9b 6c 8b 6c 2b 7b 2b 2c G 7b 3d 9c
SOUTH holds 1d W R 5c 7c F 3c 8b W 1c 1b O R
WEST holds 2d 3b J 8d 9d 1c F 9b E 6d 7c 6b 7b
NORTH holds 2d 3d 9d 8d 5b 1c 4d J 3d G 3c O
`;
export const KNOWN = `# Our first game. It stays.

# Nobody knows why.
[[fault]]
file = "../games/b.charleston"
line = 11   # in the first across
rules = [   # one of them
  "joker.passed",
]
why = '''
Our players love it:
[[fault]]
'''

# About the second.

[[fault]]   # a table
"file" = "../games/b.charleston"
rules = ["look.before"] # not yet
why = "The looks are too early."
line = 12

# The end.
`;

/** Write a game as a ReplayRequest, on one line. */
export function replayText(text: string): string {
  return toJsonString(ReplayRequestSchema, create(ReplayRequestSchema, { acts: actsOf(parseGame(text)) }));
}
