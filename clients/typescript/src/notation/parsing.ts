/** The tolerant parser: acts, tables and games from text. It goes on after an error, to find them all at once. */

import { create } from "@bufbuild/protobuf";
import {
  type Act,
  type Debt,
  DebtSchema,
  type HouseRules,
  type Place,
  PlaceSchema,
  type Seat,
  Stage,
  type Table,
  TableSchema,
  type Tile,
} from "../gen/charleston/referee/v1/table_pb.js";
import { readEntry, readPile } from "./acts.js";
import { type Game, type Line, NEWEST_RULEBOOK, NotationError, type Problem } from "./game.js";
import { readHouse } from "./house.js";
import { linesOf } from "./text.js";
import { SEATS, Unread, Words } from "./words.js";

/** Read tiles such as `1b 3c J`, in the order written; throw {@link NotationError} if one is no tile. */
export function parseTiles(text: string): Tile[] {
  return oneLine(text, (words) => words.tiles());
}

/** Read one act such as `EAST passes 1b 3c 9d`; throw {@link NotationError} if it is none. */
export function parseAct(text: string): Act {
  return oneLine(text, (words) => {
    const { act } = readEntry(words);
    if (!act) throw new Unread(1, "expected an act, not what a log claims");
    return act;
  });
}

/** Read house rules such as `league jokers 10`; undefined for none; throw {@link NotationError} if one is none. */
export function parseHouse(text: string): HouseRules | undefined {
  return oneLine(`house ${text}`, readHouse);
}

/** Read a table; throw {@link NotationError} with all that cannot be read. */
export function parseTable(text: string): Table {
  const { table, lines } = parseGame(text);
  if (table && !lines.length) return table;
  const message = "expected a table, such as 'table at FIRST_LEFT' and a line a seat";
  throw new NotationError([{ line: lines[0]?.number ?? 1, column: 1, message }]);
}

/** Read a game: perhaps a table, then one act or claim a line; throw {@link NotationError} with all that is wrong. */
export function parseGame(text: string): Game {
  const lines: Line[] = [];
  const problems: Problem[] = [];
  let table: TableLines | undefined;
  let house: { rules: HouseRules | undefined } | undefined;
  for (const [index, line] of linesOf(text).entries()) {
    const words = new Words(line);
    try {
      if (!words.left) continue;
      if (words.next === "house" && !house && !table && !lines.length) {
        house = { rules: readHouse(words) };
      } else if (words.next === "table" && !table && !lines.length) {
        table = new TableLines(words);
      } else if (table && !lines.length && ["rack", "owes"].includes(words.second)) {
        table.line(words);
      } else {
        lines.push({ ...readEntry(words), number: index + 1 });
      }
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      problems.push({ line: index + 1, column: error.column, message: error.message });
    }
  }
  if (problems.length) throw new NotationError(problems);
  const rules = house?.rules;
  return table ? { lines, table: table.table(rules) } : { lines, ...(rules && { house: rules }) };
}

function oneLine<T>(text: string, read: (words: Words) => T): T {
  const words = new Words(text);
  try {
    const result = read(words);
    words.end();
    return result;
  } catch (error) {
    if (!(error instanceof Unread)) throw error;
    throw new NotationError([{ line: 1, column: error.column, message: error.message }]);
  }
}

/** The lines of a table, as far as they have been read. */
class TableLines {
  readonly #stage: Stage;
  readonly #rulebook: number;
  readonly #places = new Map<Seat, Place>();
  readonly #debts: Debt[] = [];

  constructor(words: Words) {
    words.take();
    words.expect("at");
    this.#stage = words.stage();
    this.#rulebook = words.skip("rulebook") ? words.number("the version") : NEWEST_RULEBOOK;
    words.end();
  }

  line(words: Words): void {
    const seat = words.seat();
    if (words.skip("owes")) {
      const creditor = words.seat();
      const tiles = words.number("how many tiles are owed");
      this.#debts.push(create(DebtSchema, { debtor: seat, creditor, tiles }));
    } else if (this.#places.has(seat)) {
      words.fail("'owes': this seat has its line already");
    } else {
      this.#places.set(seat, readPlace(words));
    }
    words.end();
  }

  /** A table with nothing dealt has no places. */
  table(house: HouseRules | undefined): Table {
    const dealt = this.#stage !== Stage.UNDEALT && this.#stage !== Stage.THROWN_IN;
    const [east, south, west, north] = SEATS.map((seat) => this.#places.get(seat) ?? create(PlaceSchema));
    return create(TableSchema, {
      rulebook: this.#rulebook,
      stage: this.#stage,
      debts: this.#debts,
      ...(house && { house }),
      ...(dealt && east && south && west && north && { east, south, west, north }),
    });
  }
}

function readPlace(words: Words): Place {
  const place = create(PlaceSchema);
  do {
    switch (words.next) {
      case "rack":
        words.take();
        place.rack = words.tiles("|", "blind");
        break;
      case "out":
        words.take();
        place.setOut = create(PlaceSchema, { setOut: readPile(words, "|", "blind") }).setOut;
        break;
      case "in":
        words.take();
        place.incoming = words.tiles("|", "blind");
        break;
      case "looked":
        words.take();
        place.looked = true;
        break;
      case "offer":
        words.take();
        place.offer = words.number("how many tiles are offered");
        break;
      default:
        words.fail("'rack', 'out', 'in', 'looked' or 'offer'");
    }
  } while (words.skip("|"));
  return place;
}
