/** What a check finds: an item with its faults, each with what is broken; plain data, as check.md describes it. */

/** How tables differ: its kind, the field, and what was expected and is there. */
export interface Difference {
  readonly kind: string;
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * One thing that is wrong: the rule, the seat (empty: at none), a sentence, and how tables differ if they do.
 *
 * A rule is an article of the rulebook, or `difference.` and the kind of a difference that no one article forbids.
 */
export interface Finding {
  readonly rule: string;
  readonly seat: string;
  readonly message: string;
  readonly difference: Difference | null;
}

/**
 * An act, a claim or a transition that is not lawful, and where: its line, and which act of the game it is.
 *
 * `number` is null where it is no act. `expected` says why it is a known fault; it is empty where it is not.
 */
export interface Fault {
  readonly line: number;
  readonly number: number | null;
  readonly act: string;
  readonly verdict: string;
  readonly message: string;
  readonly findings: readonly Finding[];
  readonly remedy: object | null;
  readonly expected: string;
}

/** What is wrong at a line: why an item cannot be judged there. */
export interface WrongLine {
  readonly line: number;
  readonly message: string;
}

/** A game or a transition: its file, the line it starts at, how many acts were judged, and what is wrong. */
export interface Checked {
  readonly file: string;
  readonly line: number;
  readonly kind: "game" | "transition";
  readonly acts: number;
  readonly faults: readonly Fault[];
  readonly errors: readonly WrongLine[];
}

/** A known fault that no longer fails: the file that lists it, the line there, and a sentence. */
export interface Stale extends WrongLine {
  readonly file: string;
}

/** Return the rules that a fault breaks, each once. */
export function rulesOf(fault: Fault): string[] {
  return [...new Set(fault.findings.map(({ rule }) => rule))];
}

/** Return the faults that are not known. */
export function unexpected({ faults }: Checked): Fault[] {
  return faults.filter(({ expected }) => !expected);
}

/** How often there was what. */
export class Counter extends Map<string, number> {
  /** Count so many more. */
  count(key: string, times = 1): void {
    this.set(key, (this.get(key) ?? 0) + times);
  }

  /** Return all that was counted, the most frequent first. */
  mostCommon(): [string, number][] {
    return [...this].sort(([, one], [, other]) => other - one);
  }
}

/** How many of what there were, how often each rule was broken, and what no longer fails. */
export class Summary {
  readonly kinds = new Counter();
  readonly rules = new Counter();
  readonly known = new Counter();
  lawful = 0;
  unlawful = 0;
  expected = 0;
  wrong = 0;
  stale: readonly Stale[] = [];

  /** Count one item: lawful, unlawful, of known faults only, or not to be judged. */
  add(checked: Checked): void {
    this.kinds.count(checked.kind);
    if (checked.errors.length) this.wrong++;
    else if (!checked.faults.length) this.lawful++;
    else if (unexpected(checked).length) this.unlawful++;
    else this.expected++;
    for (const fault of checked.faults) {
      for (const rule of rulesOf(fault)) {
        this.rules.count(rule);
        if (fault.expected) this.known.count(rule);
      }
    }
  }

  /** What the command exits with. */
  get status(): 0 | 1 | 2 {
    if (this.wrong) return 2;
    return this.unlawful || this.stale.length ? 1 : 0;
  }
}

/** Something that is told each item in order, and at the end the summary. */
export interface Report {
  tell(checked: Checked): void;
  end(summary: Summary): void;
}
