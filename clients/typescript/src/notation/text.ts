/** Text as the notation counts it everywhere: lines, letters and blanks are those of Unicode, not of one language. */

// Blanks and ends of lines as Python knows them: JavaScript's own lists differ in a few letters.
const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const LINE_END = /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/u;
const TRAILING = new RegExp(`[${BLANK}]+$`, "u");
const UNPRINTABLE = /[\p{C}\p{Z}]/u;

/** What a word of notation is: a stroke, or letters up to a blank or a stroke. */
export const WORD = new RegExp(`[/|]|[^${BLANK},:;/|]+`, "gu");

/** Return the lines of a text, without their ends. */
export function linesOf(text: string): string[] {
  const lines = text.split(LINE_END);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Return a text without the blanks at its end. */
export function trimmed(text: string): string {
  return text.replace(TRAILING, "");
}

/** Return how many letters a text has, those that JavaScript writes as two counted once. */
export function lettersIn(text: string): number {
  let letters = 0;
  for (const _ of text) letters++;
  return letters;
}

/** Tell whether a letter shows, and neither moves the cursor nor changes the terminal. */
export function printable(letter: string): boolean {
  return letter === " " || !UNPRINTABLE.test(letter);
}
