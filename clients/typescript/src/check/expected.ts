/** Known faults: which of those found are expected, and which of those expected no longer fail as listed. */

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { edited, type Entry, readEntries, Unreadable } from "./known.js";
import { type Checked, type Fault, rulesOf, type Stale } from "./results.js";
import { STDIN, WrongQuestion, whyNot } from "./source.js";
import { written } from "./writing.js";

const UNKNOWN = "not looked into yet";

/**
 * What is expected at each line of each file; a file is named from the folder of the list.
 *
 * All that is broken at a line is one known fault: a rule that is broken and not listed is unexpected, and one that is
 * listed and not broken is stale. What was not checked is neither.
 */
export class Expected {
  readonly #path: string;
  readonly #text: string;
  readonly #entries: readonly Entry[];
  readonly #numbers = new Map<string, number>();
  readonly #found = new Map<number, string[]>();
  readonly #unlisted = new Map<string, Entry>();
  readonly #checked = new Set<string>();
  readonly #wrong = new Set<string>();

  /** Read a file of known faults; without a file nothing is expected, and to `fix` it it need not be there. */
  constructor(path: string | undefined, fix: boolean) {
    this.#path = path ?? "";
    this.#text = path === undefined || (fix && !existsSync(path)) ? "" : textOf(path);
    try {
      this.#entries = readEntries(this.#text);
      for (const [number, { file, line, at }] of this.#entries.entries()) {
        const key = `${this.#resolved(file)}:${line}`;
        if (this.#numbers.has(key)) throw new Unreadable(`line ${at}: ${file}:${line} is listed twice`);
        this.#numbers.set(key, number);
      }
    } catch (error) {
      throw error instanceof Unreadable ? new WrongQuestion(`${path}: ${error.message}`) : error;
    }
  }

  /** Return an item with its known faults marked. */
  settled(checked: Checked): Checked {
    const file = real(checked.file);
    (checked.errors.length ? this.#wrong : this.#checked).add(file);
    const broken = new Map<number, Set<string>>();
    for (const fault of checked.faults) {
      broken.set(fault.line, new Set([...(broken.get(fault.line) ?? []), ...rulesOf(fault)]));
    }
    for (const [line, rules] of broken) {
      const key = `${file}:${line}`;
      const number = this.#numbers.get(key);
      if (number !== undefined) this.#found.set(number, [...rules]);
      else this.#unlisted.set(key, { file: this.#named(file), line, rules: [...rules], why: UNKNOWN, at: 0 });
    }
    return { ...checked, faults: checked.faults.map((fault) => this.#marked(file, fault)) };
  }

  /** Return what no longer fails as it is listed, of what was checked or is not there at all. */
  stale(): Stale[] {
    return [...this.#missing()].map(([number, missing]) => {
      const { file, line, at } = this.#entries[number] as Entry;
      const there = file === STDIN || existsSync(this.#resolved(file));
      const message = there
        ? `${file}:${line} no longer breaks ${[...missing].sort().join(", ")}; take it out, or let --fix do it`
        : `${file} is not there any more; take the entry out, or let --fix do it`;
      return { file: this.#path, line: at, message };
    });
  }

  /**
   * Rewrite the list to what was found, and return in words what has changed.
   *
   * A fault that has moved to another line of its file keeps its reason.
   */
  fixed(): string {
    const gone = new Set([...this.#missing().keys()].filter((number) => !this.#found.has(number)));
    const changed = new Map<number, Entry>();
    for (const [number, rules] of this.#found) {
      const entry = this.#entries[number] as Entry;
      if (!sameRules(rules, entry.rules)) changed.set(number, { ...entry, rules });
    }
    const moved = this.#moved(gone);
    for (const number of moved.keys()) gone.delete(number);
    const added = [...this.#unlisted.values()].filter((entry) => ![...moved.values()].some((to) => to.new === entry));
    try {
      const changes = new Map([...changed, ...[...moved].map(([number, to]): [number, Entry] => [number, to.entry])]);
      const text = edited(this.#text, gone, changes, added);
      readEntries(text);
      if (text !== this.#text) written(this.#path, text);
    } catch (error) {
      throw error instanceof Unreadable ? new WrongQuestion(`${this.#path}: ${error.message}`) : error;
    }
    const words = { removed: gone.size, changed: changed.size, moved: moved.size, added: added.length };
    const said = Object.entries(words).flatMap(([word, times]) => (times ? [`${times} ${word}`] : []));
    return said.join(", ") || "nothing to change";
  }

  #marked(file: string, fault: Fault): Fault {
    const entry = this.#entries[this.#numbers.get(`${file}:${fault.line}`) ?? -1];
    return entry && rulesOf(fault).every((rule) => entry.rules.includes(rule))
      ? { ...fault, expected: entry.why }
      : fault;
  }

  /** Return the rules of each entry that are no longer broken, of what was checked or is not there. */
  #missing(): Map<number, string[]> {
    const missing = new Map<number, string[]>();
    for (const [number, entry] of this.#entries.entries()) {
      const file = this.#resolved(entry.file);
      const checked = this.#checked.has(file) && !this.#wrong.has(file);
      if (!checked && (file === STDIN || existsSync(file))) continue;
      const gone = entry.rules.filter((rule) => !this.#found.get(number)?.includes(rule));
      if (gone.length) missing.set(number, gone);
    }
    return missing;
  }

  /** Return which entries that are gone were found at one other line of their file. */
  #moved(gone: ReadonlySet<number>): Map<number, { entry: Entry; new: Entry }> {
    const left = new Set(this.#unlisted.values());
    const moved = new Map<number, { entry: Entry; new: Entry }>();
    const like = (entry: Entry) => (other: Entry) =>
      this.#resolved(other.file) === this.#resolved(entry.file) && sameRules(other.rules, entry.rules);
    for (const number of [...gone].sort((one, other) => one - other)) {
      const entry = this.#entries[number] as Entry;
      const alone = [...this.#unlisted.values()].filter(like(entry)).length === 1;
      const to = alone ? [...left].find(like(entry)) : undefined;
      if (!to) continue;
      left.delete(to);
      moved.set(number, { entry: { ...entry, line: to.line }, new: to });
    }
    return moved;
  }

  #resolved(file: string): string {
    return file === STDIN ? file : real(resolve(dirname(this.#path), file));
  }

  #named(file: string): string {
    return file === STDIN
      ? file
      : relative(real(dirname(this.#path)), file)
          .split(sep)
          .join("/");
  }
}

function textOf(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    throw new WrongQuestion(`${path}: ${error instanceof TypeError ? "this is no text in UTF-8" : whyNot(error)}`);
  }
}

function real(file: string): string {
  if (file === STDIN) return file;
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

function sameRules(one: readonly string[], other: readonly string[]): boolean {
  return one.every((rule) => other.includes(rule)) && other.every((rule) => one.includes(rule));
}
