/** The notation reads and prints what the Python library reads and prints: the same goldens, the same random games. */

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { toJson } from "@bufbuild/protobuf";
import {
  ActSchema,
  actsOf,
  actText,
  claimText,
  create,
  excerpt,
  formatted,
  gameText,
  type MessageInitShape,
  NotationError,
  parseAct,
  parseGame,
  parseHouse,
  parseTable,
  parseTiles,
  type Problem,
  Seat,
  type Stage,
  startOf,
  TableSchema,
  tableText,
  Tile,
  tilesText,
} from "charleston-referee";
import { printed, read, toml } from "./support/repository.js";

type Golden<Key extends string> = Record<Key, string>;

function goldens<Entry>(file: string, kind: string): Entry[] {
  const found = toml(`tests/notation/${file}.toml`)[kind] as Entry[];
  assert.ok(found.length);
  return found;
}

function problemsOf(text: string): readonly Problem[] {
  try {
    parseGame(text);
  } catch (error) {
    if (error instanceof NotationError) return error.problems;
    throw error;
  }
  return [];
}

test("tiles are read in any case, spelt out, with commas, and repeated", () => {
  for (const { typed, printed } of goldens<Golden<"typed" | "printed">>("typed", "tiles")) {
    assert.equal(tilesText(parseTiles(typed)), printed);
  }
});

test("every tile reads back, in lower case and in upper case too", () => {
  for (let tile = Tile.BAM_1; tile <= Tile.HIDDEN; tile++) {
    const text = tilesText([tile]);

    assert.deepEqual([text, text.toLowerCase(), text.toUpperCase()].map(parseTiles), [[tile], [tile], [tile]]);
  }
});

test("every kind of act is read, with what it may end with", () => {
  for (const { typed, read, printed } of goldens<Golden<"typed" | "printed" | "read">>("typed", "act")) {
    const act = parseAct(typed);

    assert.deepEqual(toJson(ActSchema, act), read);
    assert.equal(actText(act), printed);
  }
});

test("a table has a line a seat, in any order, and the debts; house rules come first", () => {
  for (const { typed, read, printed } of goldens<Golden<"typed" | "printed" | "read">>("typed", "table")) {
    const table = parseTable(typed);

    assert.deepEqual(toJson(TableSchema, table), read);
    assert.equal(tableText(table), printed);
  }
});

test("every line that cannot be read is named, with its column, what was expected and what may be meant", () => {
  for (const { text, problems } of goldens<{ text: string; problems: Problem[] }>("unread", "text")) {
    assert.deepEqual(problemsOf(text), problems);
  }
});

test("an error tells all problems, each with its place", () => {
  assert.throws(() => parseGame("EAST passes 1x\n\nNORTH offers"), {
    name: "NotationError",
    message:
      "line 1, column 13: expected a tile such as 3b, 5c, 9d, E, R or J, not '1x'\n" +
      "line 3, column 13: expected how many tiles are offered, but the line ends",
  });
});

test("lines keep their order and notes in canonical form", () => {
  for (const { text, form } of goldens<Golden<"text" | "form">>("forms", "form")) assert.equal(formatted(text), form);
});

test("the caret stands under the letter meant, and a long line is cut around it", () => {
  type Excerpt = { line: string; column: number; columns: number; shown: string };
  for (const { line, column, columns, shown } of goldens<Excerpt>("excerpts", "excerpt")) {
    assert.equal(excerpt(line, column, columns), shown);
  }
});

test("a claim is no act, a table is no game's act, and a game is no table", () => {
  for (const text of ["EAST holds 1b", "table at FIRST_LEFT", ""]) assert.throws(() => parseAct(text), NotationError);
  for (const text of ["EAST stops", "table at FIRST_LEFT\nEAST stops", ""]) {
    assert.throws(() => parseTable(text), NotationError);
  }
});

test("house rules are read by their ids and presets", () => {
  assert.deepEqual(parseHouse("Jokers 10, ring.ends")?.ids, ["ring.ends"]);
  assert.equal(parseHouse(""), undefined);
  assert.equal(startOf(parseGame("house league flowers 24\nEAST stops")).house?.flowers, 24);
});

test("what notation cannot say is refused by the printer", () => {
  const unsayable: MessageInitShape<typeof ActSchema>[] = [
    {},
    { seat: Seat.EAST },
    { kind: { case: "stop", value: {} } },
    { seat: Seat.EAST, kind: { case: "offer", value: {} } },
    { seat: Seat.EAST, kind: { case: "draw", value: {} } },
    { seat: Seat.EAST, kind: { case: "play", value: {} } },
    { seat: Seat.EAST, kind: { case: "look", value: { everyone: true } } },
    { seat: 7 as Seat, kind: { case: "stop", value: {} } },
    { seat: Seat.EAST, stage: 99 as Stage, kind: { case: "stop", value: {} } },
    { seat: Seat.EAST, kind: { case: "tilePass", value: { tiles: [99 as Tile] } } },
  ];
  for (const act of unsayable) assert.throws(() => actText(create(ActSchema, act)), RangeError);
});

test("what the page of the notation says is typed is printed as it says", () => {
  const rows = [...read("referee/notation/README.md").matchAll(/^\| `([^`]+)` \| `([^`]+)` \|$/gm)];
  const typed = rows.filter(([, text = ""]) => !/^(rack|out|in|offer|looked|parse|EAST owes)/.test(text));
  assert.ok(typed.length > 20);
  for (const [, text = "", expected = ""] of typed) assert.ok(forms(text).includes(expected), text);
});

function forms(text: string): string[] {
  const ways = [
    () => gameText(parseGame(text)).trim(),
    () => actText(parseAct(text)),
    () => tilesText(parseTiles(text)),
  ];
  return ways.flatMap((way) => {
    try {
      return [way()];
    } catch {
      return [];
    }
  });
}

describe("what the Python library reads", () => {
  type Read = { text: string } & (
    { problems: Problem[] } | { problems?: undefined; start: unknown; lines: unknown[]; printed: string; form: string }
  );
  let texts: Read[];

  before(async () => {
    const lines = await printed("python", "-m", "tests.notation.exchange");
    texts = lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Read);
  });

  test("is more than a few texts, with errors and without", () => {
    assert.ok(texts.length > 1000);
    assert.ok(texts.filter((each) => each.problems).length > 100);
  });

  test("is read here as the same game, and printed the same", () => {
    for (const each of texts) {
      if (each.problems) continue;
      const game = parseGame(each.text);
      const lines = game.lines.map((line) =>
        line.act
          ? { number: line.number, act: toJson(ActSchema, line.act) }
          : { number: line.number, claim: claimText(line.claim).replace(/ nothing$/, "") },
      );

      assert.deepEqual(toJson(TableSchema, startOf(game)), each.start, each.text);
      assert.deepEqual(lines, each.lines, each.text);
      assert.equal(gameText(game), each.printed);
      assert.equal(formatted(each.text), each.form);
      assert.deepEqual(actsOf(parseGame(each.printed)), actsOf(game));
    }
  });

  test("or cannot be read, has the same problems here", () => {
    for (const { text, problems } of texts) {
      if (problems) assert.deepEqual(problemsOf(text), problems, JSON.stringify(text));
    }
  });
});
