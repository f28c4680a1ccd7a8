/** What can be said to `charleston-check`, and the help that explains it. */

import { parseArgs } from "node:util";
import type { HouseRules } from "../gen/charleston/referee/v1/table_pb.js";
import { NotationError, parseHouse } from "../notation/index.js";
import { STDIN, WrongQuestion } from "./source.js";

export const USAGE = "usage: charleston-check --address HOST:PORT [options] PATH…";
export const HELP = `${USAGE}

Judge games and transitions, many at once, and report what is not lawful.

A PATH is a file, a folder, a pattern such as 'games/**/*.charleston', or - for standard input. A file is notation, a
ReplayRequest or JudgeTransitionRequest as protobuf JSON, or JSON lines with one of these a line; it may be packed with
gzip. Every report can be asked for at once.

options:
  --address HOST:PORT   ask the referee that serves here; several between commas
  --timeout SECONDS     for each answer (10)
  --language TAG        of its sentences: en, fr or nl (en)
  --expected FILE.toml  known faults: one that no longer fails is a failure
  --fix                 rewrite the known faults to what is found
  --json FILE           write a line of JSON for each item, and the summary; - is stdout
  --junit FILE          write JUnit XML
  --sarif FILE          write SARIF 2.1.0
  --github              print annotations for a GitHub workflow
  --jobs N              questions on their way at a time (32)
  --skip-illegal        leave out illegal acts and go on
  --house RULES         house rules where a file has none: league
  -v, --verbose         tell known faults too
  -V, --version         say which version this is
  -h, --help            say this

exit status: 0 all is lawful or a known fault, 1 something is not, or a known fault no longer fails,
2 something cannot be judged or nobody answered
`;

/** What was said. */
export interface Told {
  readonly help: boolean;
  readonly version: boolean;
  readonly paths: readonly string[];
  readonly address: string;
  readonly seconds: number;
  readonly language: string;
  readonly expected: string | undefined;
  readonly fix: boolean;
  readonly json: string | undefined;
  readonly junit: string | undefined;
  readonly sarif: string | undefined;
  readonly github: boolean;
  readonly jobs: number;
  readonly skipIllegal: boolean;
  readonly house: HouseRules | undefined;
  readonly verbose: boolean;
}

/** Something that cannot be said so. */
export class Misuse extends Error {}

/** Read the words of the command; throw {@link Misuse} with a sentence. */
export function told(words: readonly string[]): Told {
  const { values, positionals } = parsed(words);
  const { help = false, version = false, address = "", timeout = "10", jobs = "32", language = "" } = values;
  const { expected, json, junit, sarif, fix = false, github = false, verbose = false } = values;
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= 3600)) {
    throw new Misuse(`--timeout: expected seconds, above none and up to 3600, not '${timeout}'`);
  }
  if (!/^[0-9]{1,4}$/.test(jobs) || !(Number(jobs) >= 1 && Number(jobs) <= 1000)) {
    throw new Misuse(`--jobs: expected a number from 1 to 1000, not '${jobs}'`);
  }
  if (!/^[ -~]{0,200}$/.test(language))
    throw new Misuse(`--language: expected a language such as fr, not '${language}'`);
  if (!help && !version) {
    if (!address) throw new Misuse("--address is needed: the referee to ask, such as 127.0.0.1:50051");
    if (!positionals.length) throw new Misuse("a PATH is needed: a file, a folder or a pattern");
  }
  if (fix && expected === undefined) {
    throw new WrongQuestion("--fix rewrites the file that --expected names, and there is none");
  }
  if ([json, junit, sarif].filter((path) => path === STDIN).length > 1) {
    throw new WrongQuestion("only one report can go to standard output");
  }
  return {
    ...{ help, version, address, seconds, language, expected, fix, json, junit, sarif, github, verbose },
    paths: positionals,
    jobs: Number(jobs),
    skipIllegal: values["skip-illegal"] ?? false,
    house: values.house === undefined ? undefined : house(values.house),
  };
}

function parsed(words: readonly string[]) {
  const [text, flag] = [{ type: "string" } as const, { type: "boolean" } as const];
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...{ address: text, timeout: text, language: text, expected: text, json: text, junit: text, sarif: text },
        ...{ jobs: text, house: text, fix: flag, github: flag, "skip-illegal": flag },
        verbose: { ...flag, short: "v" },
        version: { ...flag, short: "V" },
        help: { ...flag, short: "h" },
      },
    });
  } catch (error) {
    throw new Misuse((error as Error).message.split("\n")[0]);
  }
}

function house(text: string): HouseRules | undefined {
  try {
    return parseHouse(text);
  } catch (error) {
    throw error instanceof NotationError ? new Misuse(`--house: ${error.problems[0]?.message ?? ""}`) : error;
  }
}
