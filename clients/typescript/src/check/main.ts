#!/usr/bin/env node
/** `charleston-check`: judge many games and transitions, and report what is not lawful in every form that CI reads. */

import { readFileSync } from "node:fs";
import { RefereeError } from "../errors.js";
import { RefereeClient } from "../node.js";
import { Documents } from "./documents.js";
import { Expected } from "./expected.js";
import { files } from "./files.js";
import { inFlight } from "./flight.js";
import { Annotations } from "./github.js";
import { items } from "./items.js";
import { judged } from "./judged.js";
import { JUnit } from "./junit.js";
import { HELP, Misuse, type Told, told, USAGE } from "./options.js";
import { type Report, Summary } from "./results.js";
import { Sarif } from "./sarif.js";
import { STDIN, WrongQuestion } from "./source.js";
import { Telling } from "./telling.js";
import { opened, type Out } from "./writing.js";

const NAME = "charleston-check";

/** Check all that was named; return 0 if it is lawful or a known fault, 1 if not, 2 if something is no question. */
async function run(asked: Told, referee: RefereeClient): Promise<number> {
  const named = files(asked.paths);
  const expected = new Expected(asked.expected, asked.fix);
  const summary = new Summary();
  const outs: Out[] = [];
  const interrupted = () => {
    for (const out of outs) out.drop();
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  try {
    const reports = await reportsOf(asked, referee, (path) => {
      const out = opened(path);
      outs.push(out);
      return out;
    });
    for await (const found of inFlight(items(named), (item) => judged(referee, asked, item), asked.jobs)) {
      const checked = expected.settled(found);
      summary.add(checked);
      for (const report of reports) report.tell(checked);
    }
    summary.stale = expected.stale();
    for (const report of reports) report.end(summary);
    while (outs.length) outs.shift()?.keep();
  } finally {
    for (const out of outs) out.drop();
    process.off("SIGINT", interrupted);
  }
  if (!asked.fix) return summary.status;
  say(`${asked.expected}: ${expected.fixed()}`, "");
  return summary.wrong ? 2 : 0;
}

async function reportsOf(asked: Told, referee: RefereeClient, to: (path: string) => Out): Promise<Report[]> {
  const { sarif, junit, json, github, verbose } = asked;
  const reports: Report[] = [];
  if (sarif !== undefined) {
    const { articles } = await referee.getRulebook({});
    reports.push(new Sarif(to(sarif), articles, version()));
  }
  if (junit !== undefined) reports.push(new JUnit(to(junit)));
  if (json !== undefined) reports.push(new Documents(to(json)));
  if (![sarif, junit, json].includes(STDIN)) {
    if (github) reports.push(new Annotations(to(STDIN)));
    const { isTTY, columns } = process.stdout;
    reports.push(new Telling(to(STDIN), isTTY ? Math.max(60, Math.min(columns, 120)) : 100, verbose));
  }
  return reports;
}

/** Run the command; return its exit status. */
async function main(words: readonly string[]): Promise<number> {
  let asked: Told | undefined;
  let referee: RefereeClient | undefined;
  try {
    asked = told(words);
    if (asked.help || asked.version) {
      process.stdout.write(asked.help ? HELP : `${NAME} ${version()}\n`);
      return 0;
    }
    const { address, seconds, language } = asked;
    referee = clientOf(address, seconds, language);
    return await run(asked, referee);
  } catch (error) {
    return failed(error, asked);
  } finally {
    referee?.close();
  }
}

function clientOf(address: string, seconds: number, language: string): RefereeClient {
  try {
    return new RefereeClient(address, { timeoutMs: seconds * 1000, language });
  } catch (error) {
    throw new Misuse(`--address: ${(error as Error).message}`);
  }
}

function failed(error: unknown, asked: Told | undefined): number {
  if (error instanceof Misuse) {
    process.stderr.write(`${USAGE}\n`);
    say(error.message);
  } else if (error instanceof WrongQuestion) {
    for (const sentence of error.sentences) say(sentence);
  } else if (error instanceof RefereeError && asked) {
    say(noAnswer(error, asked));
  } else {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") return 141;
    if (!code) throw error;
    say(`what was found cannot be written: ${message}`);
  }
  return 2;
}

function noAnswer(error: RefereeError, { address, seconds }: Told): string {
  switch (error.code) {
    case "DEADLINE_EXCEEDED":
      return `the referee at ${address} did not answer within ${seconds} seconds`;
    case "UNAVAILABLE":
      return `no referee can be reached at ${address}: ${error.reason}`;
    case "UNIMPLEMENTED":
      return `what serves at ${address} is no referee`;
    default:
      return `the referee gave no answer: ${error.message}`;
  }
}

function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

function say(sentence: string, name = `${NAME}: `): void {
  process.stderr.write(`${name}${sentence}\n`);
}

process.exitCode = await main(process.argv.slice(2));
