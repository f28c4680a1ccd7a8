/** The report for machines: a line of JSON for each item, then one with the summary. check.md says what is in it. */

import { type Checked, type Fault, type Report, rulesOf, type Summary } from "./results.js";
import type { Out } from "./writing.js";

/** Writes JSON lines. */
export class Documents implements Report {
  constructor(private readonly out: Out) {}

  tell({ file, line, kind, acts, faults, errors }: Checked): void {
    const lawful = !faults.length && !errors.length;
    this.#write({ file, line, kind, lawful, acts, faults: faults.map(written), errors });
  }

  end({ status, kinds, lawful, unlawful, expected, wrong, rules, stale }: Summary): void {
    const counted = { kinds: Object.fromEntries([...kinds].sort()), lawful, unlawful, expected, wrong };
    this.#write({ summary: { status, ...counted, rules: Object.fromEntries(rules.mostCommon()), stale } });
  }

  #write(document: object): void {
    this.out.write(`${JSON.stringify(document)}\n`);
  }
}

function written(fault: Fault): object {
  const { line, number, act, verdict, message, findings, remedy, expected } = fault;
  return { line, number, act, verdict, rules: rulesOf(fault), message, findings, remedy, expected };
}
