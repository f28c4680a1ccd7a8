/** The repository around this package: its files, and its environment of Python. */

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "smol-toml";

/** The root of the repository; npm runs everything in the folder of the package. */
export const ROOT = resolve(process.cwd(), "../..");
/** The commands of the environment that `make venv` makes. */
export const BIN = join(ROOT, ".venv/bin");

if (!existsSync(join(BIN, "referee"))) throw new Error("there is no referee to ask; `make venv` installs it");

const run = promisify(execFile);

/** Read a file of the repository. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Read a file of TOML. */
export function toml(path: string): Record<string, unknown> {
  // Through JSON, for its tables have no prototype, and would not be equal to any other object.
  return JSON.parse(JSON.stringify(parse(read(path)))) as Record<string, unknown>;
}

/** Run a command of the environment at the root; return what it prints. */
export async function printed(command: string, ...words: string[]): Promise<string> {
  const { stdout } = await run(join(BIN, command), words, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
