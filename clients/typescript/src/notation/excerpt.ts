/** Where in a line something is wrong: the line, and a caret under the place. */

import { eastAsianWidth } from "get-east-asian-width";
import { printable, trimmed } from "./text.js";

const COLUMNS = 96;

/** Return a line and below it a caret under a column, from 1; of a long line only what is around the column. */
export function excerpt(line: string, column: number, columns = COLUMNS): string {
  const shown = [...trimmed(line)].map((letter) => (letter === "\t" ? " " : printable(letter) ? letter : "\ufffd"));
  const at = Math.max(0, column - 1);
  const begin = Math.max(0, Math.min(at - Math.floor(columns / 2), shown.length - columns));
  const before = `${begin ? "…" : ""}${shown.slice(begin, at).join("")}`;
  const after = `${shown.slice(at, begin + columns).join("")}${shown.length > begin + columns ? "…" : ""}`;
  const width = [...before].reduce((sum, letter) => sum + widthOf(letter), 0);
  return `${before}${after}\n${" ".repeat(width)}^`;
}

/** Return how many columns of a terminal a letter takes. */
function widthOf(letter: string): number {
  return /\p{Mn}/u.test(letter) ? 0 : eastAsianWidth(letter.codePointAt(0) ?? 0);
}
