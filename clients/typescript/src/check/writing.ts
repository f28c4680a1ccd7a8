/** Files written as one step: whoever reads one meanwhile reads the old or the new one, whole. */

import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { STDIN, WrongQuestion, whyNot } from "./source.js";

/** Where a report goes. */
export interface Out {
  write(text: string): void;
  /** Keep what was written, in the place of what was there. */
  keep(): void;
  /** Leave all as it was. */
  drop(): void;
}

/** Write to a file, or with `-` to standard output. */
export function opened(path: string): Out {
  if (path === STDIN) return { write: (text) => writeAll(1, text), keep: () => {}, drop: () => {} };
  try {
    return existsSync(path) && !statSync(path).isFile() ? device(path) : replacing(path);
  } catch (error) {
    throw new WrongQuestion(`${path}: ${whyNot(error)}`);
  }
}

/** Write a text to a file in one step. */
export function written(path: string, text: string): void {
  const out = opened(path);
  out.write(text);
  out.keep();
}

/** A pipe or a device is written to, not replaced. */
function device(path: string): Out {
  const file = openSync(path, "w");
  return { write: (text) => writeAll(file, text), keep: () => closeSync(file), drop: () => closeSync(file) };
}

function replacing(path: string): Out {
  const place = existsSync(path) ? realpathSync(path) : path;
  const beside = join(dirname(place), `.${basename(place)}.${randomUUID()}`);
  const file = openSync(beside, "wx");
  if (existsSync(place)) chmodSync(beside, statSync(place).mode);
  return {
    write: (text) => writeAll(file, text),
    keep: () => {
      fsyncSync(file);
      closeSync(file);
      renameSync(beside, place);
    },
    drop: () => {
      closeSync(file);
      rmSync(beside, { force: true });
    },
  };
}

function writeAll(file: number, text: string): void {
  const data = Buffer.from(text);
  for (let at = 0; at < data.length;) {
    try {
      at += writeSync(file, data, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error; // a pipe that is full is waited for
    }
  }
}
