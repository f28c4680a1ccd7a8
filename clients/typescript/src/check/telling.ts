/** The report for people: each fault with its place, the act, what is wrong and what it costs; then a summary. */

import { printable } from "../notation/text.js";
import { type Checked, type Fault, type Finding, type Report, type Summary } from "./results.js";
import { MOST, nameOf } from "./source.js";
import { shortened, wrapped } from "./wrapping.js";
import type { Out } from "./writing.js";

const INDENT = "    ";

/** Tells what is wrong, and known faults too if every one is asked for. */
export class Telling implements Report {
  constructor(
    private readonly out: Out,
    private readonly columns: number,
    private readonly every: boolean,
  ) {}

  tell(checked: Checked): void {
    const name = nameOf(checked.file);
    for (const { line, message } of checked.errors.slice(0, MOST)) this.#print(`${name}:${line}: ${shown(message)}`);
    if (checked.errors.length > MOST) this.#print(`${name}: and ${checked.errors.length - MOST} more`);
    for (const fault of checked.faults) if (this.every || !fault.expected) this.#print(...this.#fault(name, fault));
  }

  end(summary: Summary): void {
    for (const { file, line, message } of summary.stale) this.#print(`${file}:${line}: ${message}`);
    this.#print(...totals(summary));
    const width = Math.max(0, ...[...summary.rules.keys()].map((rule) => rule.length));
    for (const [rule, times] of summary.rules.mostCommon()) {
      const known = summary.known.get(rule);
      const expected = known ? `  (${known} expected)` : "";
      this.#print(`${number(times).padStart(7)}  ${rule.padEnd(width)}${expected}`.trimEnd());
    }
  }

  #print(...lines: string[]): void {
    for (const line of lines) this.out.write(`${line}\n`);
  }

  *#fault(name: string, fault: Fault): Generator<string> {
    const { line, verdict, findings, expected } = fault;
    const which = fault.number && !name.endsWith(".charleston") ? `act ${fault.number}: ` : "";
    yield `${name}:${line}: ${shortened(`${which}${fault.act}`, this.columns - 8)}`;
    const beside = INDENT.length + verdict.length + 2;
    const [first = "", ...rest] = wrapped(fault.message, this.columns - beside);
    yield `${INDENT}${verdict}  ${first}`.trimEnd();
    yield* rest.map((each) => " ".repeat(beside) + each);
    for (const finding of findings) {
      if (finding.difference) yield* wrapped(differing(finding), this.columns, INDENT.repeat(2), INDENT.repeat(3));
    }
    if (expected) yield* wrapped(`expected: ${expected}`, this.columns, INDENT, INDENT.repeat(2));
  }
}

/** Return a text without what would move the cursor or change the terminal: it may quote what was read. */
function shown(text: string): string {
  return [...text].map((letter) => (printable(letter) ? letter : "\ufffd")).join("");
}

function differing({ message, rule, difference }: Finding): string {
  const { kind, expected, actual } = difference ?? {};
  const tiles = kind === "flow" ? ` [lacks ${expected || "nothing"}; too many: ${actual || "nothing"}]` : "";
  return `${message} (${rule})${tiles}`;
}

function* totals(summary: Summary): Generator<string> {
  const kinds = [...summary.kinds].sort().map(([kind, times]) => `${number(times)} ${kind}${times === 1 ? "" : "s"}`);
  const parts = [
    `${number(summary.lawful)} lawful`,
    `${number(summary.unlawful)} not`,
    ...(summary.expected ? [`${number(summary.expected)} with known faults only`] : []),
    ...(summary.wrong ? [`${number(summary.wrong)} that cannot be judged`] : []),
  ];
  yield `${kinds.join(" and ") || "nothing"}: ${parts.join(", ")}.`;
  const stale = summary.stale.length;
  if (stale) yield `${number(stale)} known fault${stale === 1 ? "" : "s"} no longer as listed.`;
}

function number(times: number): string {
  return times.toLocaleString("en-US");
}
