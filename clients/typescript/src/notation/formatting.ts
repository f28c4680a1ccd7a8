/** Written games in canonical form, line by line: what is no notation, and the order of lines, stays as it is. */

import { Seat } from "../gen/charleston/referee/v1/table_pb.js";
import { parseGame } from "./parsing.js";
import { gameText, tableText } from "./printing.js";
import { linesOf, trimmed } from "./text.js";
import { Words } from "./words.js";

/**
 * Return a game or table with each line as the printer writes it; throw NotationError with all that cannot be read.
 *
 * Comments and blank lines stay where they are, and what is returned reads as the same game.
 */
export function formatted(text: string): string {
  const entries = new Set(parseGame(text).lines.map((line) => line.number));
  return linesOf(text)
    .map((line, index) => `${inForm(line, entries.has(index + 1))}\n`)
    .join("");
}

function inForm(line: string, entry: boolean): string {
  const mark = line.indexOf("#");
  const notation = mark < 0 ? line : line.slice(0, mark);
  const comment = mark < 0 ? "" : trimmed(line.slice(mark));
  const words = new Words(notation);
  const said = words.left ? (words.isSeat && !entry ? ofTable(notation) : byItself(notation)) : "";
  return [said, comment].filter(Boolean).join("  ");
}

/** Write a line that is a game by itself: an act, a claim, or how a table begins. */
function byItself(line: string): string {
  const game = parseGame(line);
  const said = linesOf(gameText(game))[0] ?? "";
  if (game.table && line.toLowerCase().includes("rulebook") && !said.includes("rulebook")) {
    return `${said} rulebook ${game.table.rulebook}`; // the newest by now, and perhaps not for ever
  }
  return said;
}

/** Write a line of a table: a seat's place or a debt. */
function ofTable(line: string): string {
  const { table } = parseGame(`table at FIRST_RIGHT\n${line}`);
  if (!table) throw new Error("a table was begun");
  const lines = linesOf(tableText(table));
  const seat = Seat[new Words(line).seat()];
  return (table.debts.length ? lines.at(-1) : lines.find((each) => each.startsWith(`${seat} `))) ?? "";
}
