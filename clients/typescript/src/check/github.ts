/** Workflow commands that GitHub shows beside the lines of a change. */

import { fromRoot } from "./paths.js";
import { type Checked, type Report, rulesOf, type Summary, unexpected } from "./results.js";
import type { Out } from "./writing.js";

/** Prints an annotation for each fault that is not known, and for each known one that no longer fails. */
export class Annotations implements Report {
  constructor(private readonly out: Out) {}

  tell(checked: Checked): void {
    const { file, errors } = checked;
    for (const { line, message } of errors) this.#annotate(file, line, "cannot be judged", message);
    for (const fault of unexpected(checked)) {
      const differences = fault.findings.filter(({ difference }) => difference).map(({ message }) => message);
      const said = [fault.act, fault.message, ...differences].join("\n");
      this.#annotate(file, fault.line, rulesOf(fault).join(", "), said);
    }
  }

  end({ stale }: Summary): void {
    for (const { file, line, message } of stale) this.#annotate(file, line, "no longer as listed", message);
  }

  #annotate(file: string, line: number, title: string, message: string): void {
    const where = `file=${property(fromRoot(file))},line=${line},title=${property(title)}`;
    this.out.write(`::error ${where}::${data(message)}\n`);
  }
}

/** Escape what ends a message early. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Escape what ends a property early. */
function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
