/** One line of notation as words with columns, and the small questions that the parser asks of it. */

import { Seat, Stage, type Tile } from "../gen/charleston/referee/v1/table_pb.js";
import { likest } from "./likeness.js";
import { lettersIn, printable, trimmed, WORD } from "./text.js";
import { NOTHING, READ_TILE, SET_SIZE } from "./tiles.js";

/** The seats, in turn order. */
export const SEATS = [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH] as const;
export const SEAT_NAMES = ["EAST", "SOUTH", "WEST", "NORTH"] as const;

const NUMBERS: Record<string, number> = { none: 0, one: 1, two: 2, three: 3 };
const STAGES = new Map(
  Object.entries(Stage).flatMap(([name, stage]): [string, Stage][] =>
    typeof stage === "number" && stage !== Stage.UNSPECIFIED ? [[name.toLowerCase(), stage]] : [],
  ),
);
// A stage may be written as two words, and either can be misspelt.
const STAGE_WORDS = [...[...STAGES.keys()].map((name) => name.toUpperCase()), "FIRST", "SECOND"];
const LARGEST = 2 ** 32 - 1;
const LONGEST_SHOWN = 20;

/** What cannot be read on a line, at a column from 1. */
export class Unread extends Error {
  constructor(
    readonly column: number,
    message: string,
  ) {
    super(message);
  }
}

/** The words of one line, read from left to right; a comment is no part of it. */
export class Words {
  readonly #text: string;
  readonly #words: { readonly index: number; readonly word: string }[];
  #at = 0;

  /** Split the line. */
  constructor(line: string) {
    this.#text = line.split("#", 1)[0] ?? "";
    this.#words = [...this.#text.matchAll(WORD)].map((match) => ({ index: match.index, word: match[0] }));
  }

  /** Whether a word is left. */
  get left(): boolean {
    return this.#at < this.#words.length;
  }

  /** The next word in lower case, or the empty text at the end. */
  get next(): string {
    return this.#words[this.#at]?.word.toLowerCase() ?? "";
  }

  /** The word after the next in lower case, or the empty text. */
  get second(): string {
    return this.#words[this.#at + 1]?.word.toLowerCase() ?? "";
  }

  /** Take the next word, in lower case. */
  take(): string {
    const word = this.next;
    this.#at++;
    return word;
  }

  /** Take the next word if it is one of these. */
  skip(...words: string[]): boolean {
    const taken = this.left && words.includes(this.next);
    if (taken) this.#at++;
    return taken;
  }

  /** Say what was expected in place of the next word, and which of the known words may have been meant. */
  fail(expected: string, known: readonly string[] = []): never {
    const found = this.#words[this.#at];
    if (!found) throw new Unread(lettersIn(trimmed(this.#text)) + 1, `expected ${expected}, but the line ends`);
    const column = lettersIn(this.#text.slice(0, found.index)) + 1;
    throw new Unread(column, `expected ${expected}, not '${short(found.word)}'${meant(found.word, known)}`);
  }

  /** Take the next word, which must be this. */
  expect(word: string, ...others: string[]): void {
    if (!this.skip(word, ...others)) this.fail(`'${word}'`);
  }

  /** Require that nothing is left. */
  end(): void {
    if (this.left) this.fail("the end of the line");
  }

  /** Whether the next word is a seat. */
  get isSeat(): boolean {
    return seatOf(this.next) !== undefined;
  }

  /** Take a seat. */
  seat(): Seat {
    const seat = seatOf(this.next) ?? this.fail("a seat (EAST, SOUTH, WEST or NORTH)", SEAT_NAMES);
    this.take();
    return seat;
  }

  /** Take a stage, written as one word or two. */
  stage(): Stage {
    const written: [string, number][] = [
      [this.next.replaceAll("-", "_"), 1],
      [`${this.next}_${this.second}`, 2],
    ];
    for (const [word, taken] of written) {
      const stage = STAGES.get(word);
      if (stage === undefined) continue;
      this.#at += taken;
      return stage;
    }
    return this.fail("a stage such as FIRST_RIGHT", STAGE_WORDS);
  }

  /** Take a number of none or more, up to the most. */
  number(expected: string, most = LARGEST): number {
    const word = this.next;
    const spelt = Object.hasOwn(NUMBERS, word) ? NUMBERS[word] : undefined;
    if (spelt === undefined && !(/^[0-9]{1,10}$/.test(word) && Number(word) <= most)) this.fail(expected);
    this.take();
    return spelt ?? Number(word);
  }

  /** Take the numbers that follow. */
  numbers(): number[] {
    const numbers: number[] = [];
    while (/^[0-9]+$/.test(this.next)) numbers.push(this.number("a number"));
    return numbers;
  }

  /** Take one tile. */
  tile(): Tile {
    const tile = READ_TILE.get(this.next) ?? this.fail("a tile such as 3b, 5c, 9d, E, R or J");
    this.take();
    return tile;
  }

  /** Take tiles up to one of the words or the end; `nothing` stands for none, and 3b*2 for two of them. */
  tiles(...until: string[]): Tile[] {
    const tiles: Tile[] = [];
    if (this.skip(NOTHING)) return tiles;
    while (this.left && !until.includes(this.next)) {
      const star = this.next.indexOf("*");
      if (star < 0) {
        tiles.push(this.tile());
        continue;
      }
      const face = READ_TILE.get(this.next.slice(0, star));
      const times = this.next.slice(star + 1);
      if (face === undefined || !/^[0-9]{1,3}$/.test(times)) this.fail("a tile such as 3b, or several such as ?*13");
      if (Number(times) > SET_SIZE) this.fail(`at most the ${SET_SIZE} tiles of the set`);
      tiles.push(...Array<Tile>(Number(times)).fill(face));
      this.take();
    }
    return tiles;
  }
}

function seatOf(word: string): Seat | undefined {
  return SEATS[SEAT_NAMES.findIndex((name) => name.toLowerCase() === word)];
}

function short(word: string): string {
  const letters = [...word].slice(0, LONGEST_SHOWN + 1).map((letter) => (printable(letter) ? letter : "\ufffd"));
  return letters.length > LONGEST_SHOWN ? `${letters.slice(0, LONGEST_SHOWN).join("")}…` : letters.join("");
}

function meant(word: string, known: readonly string[]): string {
  const names = new Map(known.map((name) => [name.toLowerCase(), name]));
  const like = likest(short(word).toLowerCase(), names.keys());
  return like === undefined ? "" : `; did you mean '${names.get(like)}'?`;
}
