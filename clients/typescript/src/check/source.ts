/** Questions that cannot be put to a referee, and what files and texts are called in them. */

import { type DescMessage, fromJson, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import { type NotationError, type Problem } from "../notation/index.js";
import type { RefereeError } from "../errors.js";

/** The name for standard input and output. */
export const STDIN = "-";
/** How many places in one file people are shown; machines are told all. */
export const MOST = 20;

/** A question that cannot be put to a referee, with a sentence for each thing that is wrong with it. */
export class WrongQuestion extends Error {
  readonly sentences: readonly string[];

  constructor(...sentences: string[]) {
    super(sentences.join("\n"));
    this.sentences = sentences;
  }
}

/** Return what a file is called. */
export function nameOf(path: string): string {
  return path === STDIN ? "standard input" : path;
}

/** Return what went wrong with a file, in the words of the system. */
export function whyNot(error: unknown): string {
  const { code = "", message = "it cannot be read" } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

const REASONS: Record<string, string> = {
  EACCES: "Permission denied",
  EISDIR: "Is a directory",
  ENOENT: "No such file or directory",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
};

/** Return what is wrong with a text in notation. */
export function unread(name: string, { problems }: NotationError): WrongQuestion {
  return placed(name, problems);
}

/** Read a JSON object. */
export function dataOf(name: string, text: string): Record<string, JsonValue> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw placed(name, [problemOf(text, error as Error)]);
  }
  if (typeof data !== "object" || !data || Array.isArray(data)) {
    throw new WrongQuestion(`${name}: expected one JSON object`);
  }
  return data as Record<string, JsonValue>;
}

/** Read a message from its protobuf JSON. */
export function messageOf<Desc extends DescMessage>(name: string, data: JsonValue, schema: Desc): MessageShape<Desc> {
  try {
    return fromJson(schema, data);
  } catch (error) {
    throw new WrongQuestion(`${name}: ${(error as Error).message.split("\n")[0]}`);
  }
}

/** Return what a refusal means: a wrong question, told by line where it names acts, or no answer. */
export function refusedQuestion(
  name: string,
  error: RefereeError,
  lines: readonly (number | undefined)[] = [],
): WrongQuestion | RefereeError {
  if (!["INVALID_ARGUMENT", "FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"].includes(error.code)) return error;
  if (!error.violations.length) return new WrongQuestion(`${name}: ${error.reason}`);
  const sentences = error.violations.map(({ field, description }) => {
    const [, number, rest] = /^acts\[(\d+)\]\.?(.*)/.exec(field) ?? [];
    const line = lines[Number(number)];
    if (line) return `${name}:${line}: ${rest || "act"}: ${description}`;
    return `${field ? `${name}: ${field}` : name}: ${description}`;
  });
  return new WrongQuestion(...sentences);
}

function placed(name: string, problems: readonly Problem[]): WrongQuestion {
  return new WrongQuestion(...problems.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`));
}

/** Say where JSON cannot be read. */
function problemOf(text: string, { message }: Error): Problem {
  const before = text.slice(0, placeOf(text, message)).split("\n");
  const said = message.replace(/ (in JSON )?at position .*/s, "").replace(/, "[^]*/, "");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message: said };
}

function placeOf(text: string, message: string): number {
  const [, place] = / at position (\d+)/.exec(message) ?? [];
  if (place !== undefined) return Number(place);
  if (!unexpectedToken(text)) return text.length;
  // Node does not say where a token stands that it did not expect: it is the end of the shortest text that has one.
  let [without, having] = [0, text.length];
  while (having - without > 1) {
    const half = Math.floor((without + having) / 2);
    if (unexpectedToken(text.slice(0, half))) having = half;
    else without = half;
  }
  return having - 1;
}

function unexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith("Unexpected token");
  }
}
