/**
 * The file of known faults, as text: read, and edited entry by entry so that all else stays where it is.
 *
 * An entry is a table `[[fault]]` with file, line, rules and why. An edit is made line by line; that what is edited is
 * the entry is asked of the TOML parser, and a file written in a way that this cannot follow is left alone.
 */

import { isDeepStrictEqual } from "node:util";
import { parse, type TomlTable } from "smol-toml";

const HEADER = /^\s*\[\[\s*fault\s*\]\]\s*(#.*)?$/;
const KEYS = ["file", "line", "rules", "why"] as const;
const BY_HAND = "its entries are not written in a way that --fix can follow; edit it by hand";

/** What is wrong with a file of known faults. */
export class Unreadable extends Error {}

/** A known fault: a file, a line of it, the rules that are broken there, why, and its own line in the list. */
export interface Entry {
  readonly file: string;
  readonly line: number;
  readonly rules: readonly string[];
  readonly why: string;
  readonly at: number;
}

/** Read the entries of a file; throw {@link Unreadable} with a sentence. */
export function readEntries(text: string): Entry[] {
  let data: TomlTable;
  try {
    data = parse(text);
  } catch (error) {
    throw new Unreadable(`this is no TOML: ${(error as Error).message.split("\n")[0]}`);
  }
  const [extra] = Object.keys(data).filter((key) => key !== "fault");
  if (extra !== undefined) throw new Unreadable(`there is only [[fault]], not '${extra}'`);
  const faults = data["fault"] ?? [];
  if (!Array.isArray(faults)) throw new Unreadable("faults are written [[fault]], with two brackets");
  const found = blocks(linesOf(text), faults as TomlTable[]);
  return (faults as TomlTable[]).map((fault, number) => entryOf(fault, (found[number]?.[0] ?? 0) + 1));
}

/**
 * Return the text without some entries, with others changed, by their numbers from 0, and with new ones at its end.
 *
 * A comment right above an entry, and those within, are the entry's and go with it; all others stay.
 */
export function edited(
  text: string,
  gone: ReadonlySet<number>,
  changed: ReadonlyMap<number, Entry>,
  added: readonly Entry[],
): string {
  const lines = linesOf(text);
  const faults = (parse(text)["fault"] ?? []) as TomlTable[];
  const found = blocks(lines, faults);
  if (found.length !== faults.length) throw new Unreadable(BY_HAND);
  const end = lines[0]?.endsWith("\r\n") ? "\r\n" : "\n";
  for (const [number, block] of [...found.entries()].reverse()) {
    let [start, stop] = block;
    const change = changed.get(number);
    if (gone.has(number)) {
      while (lines[start - 1]?.trimStart().startsWith("#")) start--;
      if (lines[stop]?.trim() === "" && (start === 0 || !lines[start - 1]?.trim())) stop++;
      lines.splice(start, stop - start);
    } else if (change) {
      lines.splice(start, stop - start, ...rewritten(lines.slice(start, stop), change, end));
    }
  }
  const last = lines.at(-1);
  if (last !== undefined && !last.endsWith("\n")) lines[lines.length - 1] = last + end;
  for (const entry of added) {
    if (lines.length) lines.push(end);
    lines.push(...writtenEntry(entry).map((line) => line + end));
  }
  return lines.join("");
}

function entryOf(fault: TomlTable, at: number): Entry {
  const where = `line ${at}`;
  const missing = KEYS.find((key) => !(key in fault));
  if (missing) throw new Unreadable(`${where}: this fault has no ${missing}`);
  const { file, line, rules, why } = fault;
  if (typeof file !== "string") throw new Unreadable(`${where}: its file is no text`);
  if (typeof line !== "number" || !Number.isInteger(line))
    throw new Unreadable(`${where}: its line is no whole number`);
  if (typeof why !== "string") throw new Unreadable(`${where}: its why is no text`);
  const [extra] = Object.keys(fault).filter((key) => !KEYS.some((known) => known === key));
  if (extra !== undefined) throw new Unreadable(`${where}: a fault has file, line, rules and why, not '${extra}'`);
  if (!Array.isArray(rules) || !rules.length || !rules.every((rule) => typeof rule === "string")) {
    throw new Unreadable(`${where}: its rules are at least one id, such as joker.passed`);
  }
  if (!why.trim()) throw new Unreadable(`${where}: its why says nothing`);
  return { file, line, rules, why, at };
}

/** Return where each entry begins and ends, by line from 0; fewer if not all of them can be found. */
function blocks(lines: string[], faults: TomlTable[]): [number, number][] {
  const found: [number, number][] = [];
  let at = 0;
  for (const fault of faults) {
    const start = lines.findIndex((line, number) => number >= at && HEADER.test(line.replace(/\r?\n$/, "")));
    const stop = start < 0 ? undefined : stopOf(lines, start, { fault: [fault] });
    if (stop === undefined) break;
    found.push([start, stop]);
    at = stop;
  }
  return found;
}

/** Return where the lines end that say this and begin here. */
function stopOf(lines: string[], start: number, data: object): number | undefined {
  for (let stop = start + 1; stop <= lines.length; stop++) {
    if (says(lines.slice(start, stop), data)) return stop;
  }
  return undefined;
}

function says(lines: string[], data: object): boolean {
  try {
    // Through JSON, for a table of TOML has no prototype.
    return isDeepStrictEqual(plainOf(parse(lines.join(""))), plainOf(data));
  } catch {
    return false;
  }
}

function plainOf(data: object): unknown {
  return JSON.parse(JSON.stringify(data));
}

/** Return an entry's lines with its line and rules set anew; a comment behind a value stays. */
function rewritten(lines: string[], entry: Entry, end: string): string[] {
  const [fault] = parse(lines.join(""))["fault"] as TomlTable[];
  const values = { line: String(entry.line), rules: rulesText(entry.rules) };
  for (const key of ["line", "rules"] as const) {
    const value = fault?.[key];
    if (value === undefined || isDeepStrictEqual(plainOf([value]), [entry[key]])) continue;
    const begins = lines.findIndex((line) => new RegExp(`^\\s*["']?${key}["']?\\s*=`).test(line));
    const stop = begins < 0 ? undefined : stopOf(lines, begins, { [key]: value });
    if (stop === undefined) {
      throw new Unreadable(`line ${entry.at}: its ${key} is not written in a way that --fix can follow`);
    }
    const [comment = ""] = /\s+#[^"'\]]*$/.exec((lines[stop - 1] ?? "").replace(/\r?\n$/, "")) ?? [];
    lines.splice(begins, stop - begins, `${key} = ${values[key]}${comment}${end}`);
  }
  return lines;
}

function writtenEntry({ file, line, rules, why }: Entry): string[] {
  return [
    "[[fault]]",
    `file = ${string(file)}`,
    `line = ${line}`,
    `rules = ${rulesText(rules)}`,
    `why = ${string(why)}`,
  ];
}

function rulesText(rules: readonly string[]): string {
  return `[${rules.map(string).join(", ")}]`;
}

function string(text: string): string {
  // A JSON string is a TOML string, but for the one control character that TOML wants escaped too.
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}
