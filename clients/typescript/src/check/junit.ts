/** JUnit XML: a suite for each file, a case for each item in it. */

import { fromRoot } from "./paths.js";
import {
  type Checked,
  Counter,
  type Fault,
  type Report,
  rulesOf,
  type Stale,
  type Summary,
  unexpected,
} from "./results.js";
import type { Out } from "./writing.js";

// XML cannot hold these, and a game or a server may send them.
const UNWRITABLE = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const COUNTED = ["tests", "failures", "errors", "skipped"];

/** Writes cases: known faults are skipped with their reason, what cannot be judged is an error. */
export class JUnit implements Report {
  // The numbers stand before the cases, so all of them are kept until the end.
  #suites: string[] = [];
  #cases: string[] = [];
  #name: string | undefined;
  #counts = new Counter();
  readonly #totals = new Counter();

  constructor(private readonly out: Out) {}

  tell(checked: Checked): void {
    const name = fromRoot(checked.file);
    if (name !== this.#name) this.#close();
    this.#name = name;
    const open = { classname: name, name: `${checked.kind} at line ${checked.line}`, file: name, line: checked.line };
    const known = checked.faults.filter(({ expected }) => expected);
    const failing = unexpected(checked);
    const [wrong] = checked.errors;
    const [first] = failing;
    if (wrong) {
      const told = checked.errors.map(({ line, message }) => `${name}:${line}: ${message}`).join("\n");
      this.#case(open, "errors", "error", wrong.message, "question", told);
    } else if (first) {
      const rules = [...new Set(failing.flatMap(rulesOf))].join(", ");
      const told = failing.map((fault) => faultText(name, fault)).join("\n\n");
      this.#case(open, "failures", "failure", `line ${first.line}: ${first.act}`, rules, told);
    } else if (known.length) {
      const whys = [...new Set(known.map(({ expected }) => expected))].join("; ");
      this.#case(open, "skipped", "skipped", whys, "expected", "");
    } else {
      this.#case(open);
    }
  }

  end({ stale }: Summary): void {
    for (const file of new Set(stale.map((each) => each.file))) {
      this.#close();
      this.#name = fromRoot(file);
      for (const each of stale) if (each.file === file) this.#stale(this.#name, each);
    }
    this.#close();
    this.out.write('<?xml version="1.0" encoding="utf-8"?>\n');
    this.out.write(`<testsuites name="charleston check"${numbers(this.#totals)}>\n`);
    for (const suite of this.#suites) this.out.write(suite);
    this.out.write("</testsuites>\n");
  }

  #stale(classname: string, { line, message }: Stale): void {
    this.#case({ classname, name: `known fault at line ${line}` }, "failures", "failure", message, "stale", message);
  }

  #case(open: Record<string, string | number>, count?: string, tag?: string, message = "", type = "", text = ""): void {
    this.#counts.count("tests");
    if (count) this.#counts.count(count);
    const inner = tag && element(tag, { message, type }, escaped(text));
    this.#cases.push(`${element("testcase", open, inner)}\n`);
  }

  #close(): void {
    if (this.#name === undefined) return;
    const suite = `<testsuite name="${attribute(this.#name)}"${numbers(this.#counts)}>\n`;
    this.#suites.push(suite + this.#cases.join("") + "</testsuite>\n");
    for (const [name, times] of this.#counts) this.#totals.count(name, times);
    this.#counts = new Counter();
    this.#cases = [];
  }
}

function faultText(name: string, fault: Fault): string {
  return [
    `${name}:${fault.line}: ${fault.act}`,
    `${fault.verdict}: ${fault.message}`,
    ...fault.findings.map(({ rule, message }) => `${rule}: ${message}`),
  ].join("\n");
}

function numbers(counts: Counter): string {
  return COUNTED.map((name) => ` ${name}="${counts.get(name) ?? 0}"`).join("");
}

function element(tag: string, attributes: Record<string, string | number>, inner = ""): string {
  const said = Object.entries(attributes).map(([name, value]) => ` ${name}="${attribute(String(value))}"`);
  return inner ? `<${tag}${said.join("")}>${inner}</${tag}>` : `<${tag}${said.join("")} />`;
}

function escaped(text: string): string {
  const shown = text.replace(UNWRITABLE, "\ufffd");
  return shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function attribute(text: string): string {
  const said = escaped(text).replaceAll('"', "&quot;");
  return said.replaceAll("\r", "&#13;").replaceAll("\n", "&#10;").replaceAll("\t", "&#09;");
}
