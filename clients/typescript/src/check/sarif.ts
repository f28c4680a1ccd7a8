/** SARIF 2.1.0: a result for each fault. Results are written as they are told, and never kept. */

import { createHash } from "node:crypto";
import type { Article } from "../gen/charleston/referee/v1/service_pb.js";
import { uri } from "./paths.js";
import { type Checked, type Fault, type Report, rulesOf, type Summary } from "./results.js";
import type { Out } from "./writing.js";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const QUESTION = "question.wrong";
const STALE = "expected.stale";
const OWN = {
  "difference.unreachable": "No play leads to a table such as the one after.",
  "difference.stage": "The stages do not follow each other so.",
  "difference.count": "A seat owns another number of tiles than it should.",
  "difference.tiles": "Tiles have come or gone, or more have changed than passes account for.",
  "difference.joker": "A Joker has changed racks.",
  "difference.flow": "Tiles went elsewhere than they should have.",
  "difference.field": "Something of the table is not what the acts lead to.",
  [QUESTION]: "This describes no game and no transition, and cannot be judged.",
  [STALE]: "A known fault no longer fails as it is listed.",
};

/** Writes one run. A known fault is a result that is suppressed, with the reason. */
export class Sarif implements Report {
  readonly #out: Out;
  readonly #index: Map<string, number>;
  #begun = false;

  /** Begin with what can be broken: the articles of the referee that is asked, and the kinds of differences. */
  constructor(out: Out, articles: readonly Article[], version: string) {
    const rules = [
      ...articles.map(({ id, title, text }) => rule(id, `${title}.`.replaceAll("..", "."), text)),
      ...Object.entries(OWN).map(([id, text]) => rule(id, text, text)),
    ];
    this.#index = new Map(rules.map(({ id }, index) => [id, index]));
    this.#out = out;
    const head = JSON.stringify({ $schema: SCHEMA, version: "2.1.0" }).slice(0, -1);
    const driver = { name: "charleston", version, rules };
    const tool = JSON.stringify({ tool: { driver }, columnKind: "unicodeCodePoints" }).slice(0, -1);
    out.write(`${head}, "runs": [${tool}, "results": [`);
  }

  tell({ file, errors, faults }: Checked): void {
    for (const { line, message } of errors) this.#result(QUESTION, file, line, message);
    for (const fault of faults) {
      for (const id of rulesOf(fault)) this.#result(id, file, fault.line, saidOf(fault, id), fault);
    }
  }

  end(summary: Summary): void {
    for (const { file, line, message } of summary.stale) this.#result(STALE, file, line, message);
    const invocation = { executionSuccessful: !summary.wrong, exitCode: summary.status };
    this.#out.write(`\n], "invocations": [${JSON.stringify(invocation)}]}]}\n`);
  }

  #result(ruleId: string, file: string, line: number, message: string, fault?: Fault): void {
    const where = { artifactLocation: { uri: uri(file) }, region: { startLine: line } };
    // The same fault is known again in the next run, wherever the checkout lies.
    const print = createHash("sha256").update([ruleId, uri(file), line, fault?.act ?? ""].join("\0"));
    const ruleIndex = this.#index.get(ruleId);
    const result = {
      ruleId,
      level: "error",
      message: { text: message.endsWith(".") ? message : `${message}.` },
      locations: [{ physicalLocation: where }],
      partialFingerprints: { "charlestonFault/v1": print.digest("hex").slice(0, 32) },
      ...(ruleIndex === undefined ? {} : { ruleIndex }),
      ...(fault?.expected ? { suppressions: [{ kind: "external", justification: fault.expected }] } : {}),
    };
    this.#out.write((this.#begun ? ",\n" : "\n") + JSON.stringify(result));
    this.#begun = true;
  }
}

function saidOf({ act, findings }: Fault, id: string): string {
  const sentences = findings.filter(({ rule }) => rule === id).map(({ message }) => message);
  return `${act}: ${sentences.join(" ")}`;
}

function rule(id: string, title: string, text: string) {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text },
    defaultConfiguration: { level: "error" },
  };
}
