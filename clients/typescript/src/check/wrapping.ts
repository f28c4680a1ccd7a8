/** Text broken into lines as Python breaks it, so that both reports for people are the same. */

const BLANK = "[\\t\\n\\x0b\\x0c\\r ]";
const LETTER = "\\p{L}";
// A word ends before a blank, after a hyphen between letters, and before a dash of several.
const CHUNK = new RegExp(
  `${BLANK}+|(?<=[\\p{L}\\p{N}_!"'&.,?])-{2,}(?=[\\p{L}\\p{N}_])|[^\\t\\n\\x0b\\x0c\\r ]+?(?:` +
    `-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${LETTER}-))(?=${LETTER}-?${LETTER})|(?=${BLANK}|$)|` +
    `(?<=[\\p{L}\\p{N}_!"'&.,?])(?=-{2,}[\\p{L}\\p{N}_]))`,
  "gu",
);

/** Break a text into lines of so many columns, the first and the others with something before them. */
export function wrapped(text: string, columns: number, first = "", others = first): string[] {
  const chunks = [...text.replace(/[\t\n\x0b\x0c\r]/g, " ").matchAll(CHUNK)].map(([chunk]) => chunk).reverse();
  const lines: string[] = [];
  while (chunks.length) {
    const before = lines.length ? others : first;
    const room = columns - before.length;
    if (lines.length && chunks.at(-1)?.trim() === "") chunks.pop();
    const line: string[] = [];
    let width = 0;
    for (let next = chunks.at(-1); next !== undefined && width + lettersIn(next) <= room; next = chunks.at(-1)) {
      line.push(next);
      width += lettersIn(next);
      chunks.pop();
    }
    const long = chunks.at(-1);
    if (long !== undefined && lettersIn(long) > room) {
      const letters = [...long];
      const fits = Math.max(1, room - width);
      line.push(letters.slice(0, fits).join(""));
      chunks[chunks.length - 1] = letters.slice(fits).join("");
    }
    if (line.at(-1)?.trim() === "") line.pop();
    if (line.length) lines.push(before + line.join(""));
  }
  return lines;
}

/** Return a text on one line of so many columns, with an ellipsis where it had to be cut. */
export function shortened(text: string, columns: number): string {
  const tidy = text.trim().split(/\s+/u).join(" ");
  if (lettersIn(tidy) <= columns) return tidy;
  const chunks = [...tidy.matchAll(CHUNK)].map(([chunk]) => chunk);
  let kept = "";
  let line = "";
  for (const chunk of chunks) {
    line += chunk;
    if (lettersIn(line) > columns) break;
    if (chunk.trim() && lettersIn(line) + 2 <= columns) kept = line;
  }
  return kept ? `${kept} …` : "…";
}

function lettersIn(text: string): number {
  return [...text].length;
}
