/** Which files are checked: those named, those of folders, and those that a pattern fits, in an order of their own. */

import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { STDIN, WrongQuestion } from "./source.js";

const SUFFIXES = [".charleston", ".json", ".jsonl", ".ndjson"];

/** Return the files that paths stand for, each once: in the order of the paths, and sorted within each. */
export function files(paths: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const named = [...namedBy(path)];
    if (!named.length) throw new WrongQuestion(`${path}: there is nothing to check here`);
    for (const name of named) found.add(name);
  }
  return [...found];
}

/** Return a file's name without what says that it is packed. */
export function plain(name: string): string {
  return name.replace(/\.gz$/, "");
}

function* namedBy(path: string): Generator<string> {
  if (path === STDIN || isFile(path)) {
    yield path;
  } else if (isFolder(path)) {
    yield* folder(path);
  } else if (/[*?[]/.test(path)) {
    for (const each of [...matching(path)].sort()) {
      if (isFile(each)) yield each;
      else if (isFolder(each) && !path.endsWith("**")) yield* folder(each);
    }
  } else {
    yield path; // a pipe, or nothing, which is told when it is read
  }
}

function* folder(path: string): Generator<string> {
  const entries = entriesOf(path).filter(({ name }) => !name.startsWith("."));
  for (const { name } of entries) {
    if (SUFFIXES.some((suffix) => plain(name).endsWith(suffix)) && isFile(join(path, name))) yield join(path, name);
  }
  for (const entry of entries) if (entry.isDirectory()) yield* folder(join(path, entry.name));
}

/** Yield what fits a pattern: `*`, `?` and `[…]` within a name, and `**` for folders in folders; nothing hidden. */
function matching(pattern: string): Set<string> {
  const [first = "", ...names] = pattern.split("/");
  let found = new Set([pattern.startsWith("/") ? "/" : ""]);
  for (const name of pattern.startsWith("/") ? names : [first, ...names]) {
    if (!name) continue;
    found = new Set([...found].flatMap((path) => (name === "**" ? below(path) : within(path, name))));
  }
  found.delete("");
  return found;
}

function within(path: string, name: string): string[] {
  if (!/[*?[]/.test(name)) return exists(join(path, name)) ? [join(path, name)] : [];
  const fits = expressionOf(name);
  const shown = entriesOf(path || ".").filter((entry) => name.startsWith(".") || !entry.name.startsWith("."));
  return shown.filter((entry) => fits.test(entry.name)).map((entry) => join(path, entry.name));
}

/** Return a folder, and all that is in it and in its folders. */
function below(path: string): string[] {
  const shown = entriesOf(path || ".").filter(({ name }) => !name.startsWith("."));
  return [
    path,
    ...shown.flatMap((entry) => (entry.isDirectory() ? below(join(path, entry.name)) : [join(path, entry.name)])),
  ];
}

function expressionOf(name: string): RegExp {
  const source = name.replace(/\[(!?)(\]?[^\]]*)\]|[^]/g, (found, not: string | undefined, letters?: string) => {
    if (letters !== undefined) return `[${not ? "^" : ""}${letters.replace(/[\\\]^]/g, "\\$&")}]`;
    if (found === "*") return ".*";
    return found === "?" ? "." : found.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "su");
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort(({ name: one }, { name: other }) => (one < other ? -1 : 1));
  } catch {
    return [];
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
