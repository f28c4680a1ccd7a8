/** What files hold, one item at a time: never more of a file is in memory than one game of it. */

import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { plain } from "./files.js";
import { STDIN, whyNot } from "./source.js";

/** How many bytes one item may have: four times what a server takes, for JSON is longer. */
export const LONGEST = 16 * 1024 * 1024;
const TOO_LONG = `one game has at most ${LONGEST / 1024 ** 2} MiB, and this is longer`;

/** A game or a transition as it is written, from this line of its file on; or what is wrong with it already. */
export interface Item {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly notation: boolean;
  readonly wrong: string;
}

/** Yield what files hold, in order. */
export async function* items(names: Iterable<string>): AsyncGenerator<Item> {
  for (const name of names) {
    let line = 1;
    try {
      for await (const item of itemsOf(name)) {
        line = item.line;
        yield item;
      }
    } catch (error) {
      const packed = String((error as NodeJS.ErrnoException).code).startsWith("Z_");
      yield wrong(name, line, packed ? "the file is cut short or no gzip" : whyNot(error));
    }
  }
}

async function* itemsOf(name: string): AsyncGenerator<Item> {
  const lines = linesOf(bytesOf(name));
  if (plain(name).endsWith(".charleston")) {
    yield await whole(name, lines, [], true);
    return;
  }
  const blank: Buffer[] = [];
  let first: Buffer | undefined;
  for (;;) {
    const next = await lines.next();
    if (next.done) break;
    first = next.value;
    if (bare(first)) break;
    blank.push(first);
    first = undefined;
  }
  if (/\.(jsonl|ndjson)$/.test(plain(name)) || (first && isObject(first))) {
    let line = blank.length + 1;
    for (let data = first; data; data = (await lines.next()).value || undefined, line++) {
      if (data.length > LONGEST) yield wrong(name, line, TOO_LONG);
      else if (bare(data)) yield item(name, line, data, false);
    }
    return;
  }
  const notation = !plain(name).endsWith(".json") && !/^[{[]/.test(first ? bare(first) : "");
  yield await whole(name, lines, first ? [...blank, first] : blank, notation);
}

async function whole(name: string, lines: AsyncIterable<Buffer>, begun: Buffer[], notation: boolean): Promise<Item> {
  const data = [...begun];
  let size = data.reduce((sum, line) => sum + line.length, 0);
  for await (const line of lines) {
    size += line.length;
    if (size > LONGEST) break;
    data.push(line);
  }
  return size > LONGEST ? wrong(name, 1, TOO_LONG) : item(name, 1, Buffer.concat(data), notation);
}

function item(file: string, line: number, data: Buffer, notation: boolean): Item {
  try {
    return { file, line, text: new TextDecoder("utf-8", { fatal: true }).decode(data), notation, wrong: "" };
  } catch {
    return wrong(file, line, "this is no text in UTF-8");
  }
}

function wrong(file: string, line: number, said: string): Item {
  return { file, line, text: "", notation: false, wrong: said };
}

function bare(line: Buffer): string {
  return line
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim();
}

/** Tell whether a line is a whole JSON object, so that others may follow. */
function isObject(line: Buffer): boolean {
  if (!bare(line).startsWith("{") || line.length > LONGEST) return false;
  try {
    JSON.parse(bare(line));
    return true;
  } catch {
    return false;
  }
}

/** Yield the bytes of a file as they come, unpacked where they are packed. */
async function* bytesOf(name: string): AsyncGenerator<Buffer> {
  const read = (name === STDIN ? process.stdin : createReadStream(name)) as AsyncIterable<Buffer>;
  const chunks = read[Symbol.asyncIterator]();
  let begun = Buffer.alloc(0);
  while (begun.length < 2) {
    const { done, value } = await chunks.next();
    if (done) break;
    begun = Buffer.concat([begun, value]);
  }
  async function* all() {
    yield begun;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  if (begun[0] !== 0x1f || begun[1] !== 0x8b) return yield* all();
  const unpacked = createGunzip();
  const fed = feed(all(), unpacked);
  yield* unpacked as AsyncIterable<Buffer>;
  await fed;
}

async function feed(bytes: AsyncIterable<Buffer>, into: NodeJS.WritableStream & { destroy(error: Error): void }) {
  try {
    for await (const chunk of bytes) {
      if (!into.write(chunk)) await new Promise((resolve) => into.once("drain", resolve).once("close", resolve));
    }
    into.end();
  } catch (error) {
    into.destroy(error as Error);
  }
}

/** Yield line by line, with what ends it; of a line that is too long one byte more than the most, and no more. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    const room = LONGEST + 1 - size;
    if (room > 0 && part.length) parts.push(part.subarray(0, room));
    size += part.length;
  };
  const line = () => {
    const whole = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts = [];
    size = 0;
    return whole;
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end + 1));
      from = end + 1;
      yield line();
    }
    add(chunk.subarray(from));
  }
  if (size) yield line();
  return undefined;
}
