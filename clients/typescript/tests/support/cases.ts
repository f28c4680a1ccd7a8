/** The corpus: its cases as questions, and what a case wants as a list of what is otherwise. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Act,
  ActKind,
  create,
  fromJsonString,
  JudgeRequestSchema,
  type JudgeResponse,
  Moment,
  NotationError,
  parseAct,
  parseHouse,
  parseTiles,
  Seat,
  Stage,
  type Table,
  TableSchema,
  Tile,
  tilesText,
  Verdict,
} from "charleston-referee";
import { ROOT, toml } from "./repository.js";

type Named<Value> = Partial<Record<"EAST" | "SOUTH" | "WEST" | "NORTH", Value>>;

/** What a case may want; tests/corpus/README.md says what each key means. */
export interface Want {
  verdict?: string;
  broken?: string[];
  undecided?: string[];
  rests_on?: string[];
  stage?: string;
  debts?: string[];
  racks?: Named<string>;
  counts?: Named<number>;
  when?: string;
  may?: string[];
  error?: string;
}

/** A case of the corpus. */
export interface Case {
  name: string;
  acts?: string[];
  question?: string;
  stage?: keyof typeof Stage;
  racks?: Named<string>;
  house?: string[];
  then_legal?: boolean;
  want: Want;
}

export const PLACES = ["east", "south", "west", "north"] as const;
const SEATS = ["EAST", "SOUTH", "WEST", "NORTH"] as const;

/** Read every case, in the order of files and cases. */
export function cases(): Case[] {
  const files = readdirSync(join(ROOT, "tests/corpus")).filter((name) => name.endsWith(".toml"));
  return files.sort().flatMap((name) => (toml(`tests/corpus/${name}`)["case"] ?? []) as Case[]);
}

/** Return the acts of a case and the table that the first one meets. */
export function asked({ acts = [], question, ...laid }: Case): { table: Table | undefined; acts: (Act | undefined)[] } {
  if (question) {
    const { table, act } = fromJsonString(JudgeRequestSchema, question);
    return { table, acts: [act] };
  }
  const parsed = acts.map(parseAct);
  return { table: tableOf(laid, parsed[0]?.kind.case === "deal"), acts: parsed };
}

/** Lay the table: racks given, the others dealt from the rest of the set in tile order, without Jokers. */
function tableOf({ stage, racks = {}, house: names = [] }: Omit<Case, "acts" | "question">, deals: boolean): Table {
  const house = houseOf(names);
  const table = create(TableSchema, {
    stage: Stage[stage ?? (deals ? "UNDEALT" : "FIRST_RIGHT")],
    ...(house && { house }),
  });
  if (table.stage === Stage.UNDEALT || table.stage === Stage.THROWN_IN) return table;
  const given = SEATS.map((seat) => racks[seat] !== undefined && parseTiles(racks[seat]));
  const out = given.flatMap((rack) => rack || []);
  const wall: Tile[] = [];
  for (let tile = Tile.BAM_1; tile < Tile.JOKER; tile++) {
    const copies = tile === Tile.FLOWER ? (house?.flowers ?? 8) : 4;
    wall.push(...Array<Tile>(Math.max(0, copies - out.filter((each) => each === tile).length)).fill(tile));
  }
  for (const [index, name] of PLACES.entries()) {
    const fourteen = name === "east" && table.stage !== Stage.PLAY && !house?.ids.includes("east.13");
    const rack = given[index] || wall.splice(0, fourteen ? 14 : 13);
    table[name] = create(TableSchema, { east: { rack } }).east;
  }
  return table;
}

/** Read house rules; one that there is not goes into the question as it is, which only a message can ask. */
function houseOf(names: string[]) {
  try {
    return parseHouse(names.join(" "));
  } catch (error) {
    if (!(error instanceof NotationError)) throw error;
    return create(TableSchema, { house: { ids: names } }).house;
  }
}

/** Say where an answer is not what a case wants; nothing where it is. */
export function mismatches({ want }: Case, { ruling, standing }: JudgeResponse): string[] {
  const table = standing?.table;
  const misdeal = ruling?.remedy.case === "misdeal" ? ruling.remedy.value : undefined;
  const found: [keyof Want, unknown, unknown][] = [
    ["verdict", want.verdict, ruling && Verdict[ruling.verdict]],
    ["stage", want.stage, table && Stage[table.stage]],
    ["when", want.when, misdeal && Moment[misdeal.moment]],
    ["broken", set(want.broken), set(ruling?.broken.map(({ rule }) => rule))],
    ["undecided", set(want.undecided), set(ruling?.undecided.map(({ rule }) => rule))],
    ["rests_on", set(want.rests_on), set(ruling?.restsOn)],
    ["debts", want.debts, table?.debts.map((debt) => `${Seat[debt.debtor]} owes ${Seat[debt.creditor]} ${debt.tiles}`)],
    [
      "counts",
      want.counts,
      Object.fromEntries(misdeal?.counts.map(({ seat, counted }) => [Seat[seat], counted]) ?? []),
    ],
    ...SEATS.map((seat, index): [keyof Want, unknown, unknown] => {
      const rack = want.racks?.[seat];
      const place = PLACES[index];
      return ["racks", rack && heap(parseTiles(rack)), place && table?.[place] && heap(table[place].rack)];
    }),
    [
      "may",
      set(want.may?.filter((line) => !line.endsWith(" nothing"))),
      want.may && may(want.may, standing?.next?.seats),
    ],
  ];
  return found.flatMap(([what, wanted, got]) =>
    wanted === undefined || JSON.stringify(wanted) === JSON.stringify(got)
      ? []
      : [`${what}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`],
  );
}

type SeatsNext = NonNullable<NonNullable<JudgeResponse["standing"]>["next"]>["seats"];

/** Write what comes next for the seats that a case names, as the corpus does: `NORTH must pass 3 to WEST`. */
function may(wanted: string[], seats: SeatsNext = []): string[] {
  const named = wanted.map((line) => line.split(" ")[0]);
  const lines = seats
    .filter(({ seat }) => named.includes(Seat[seat]))
    .flatMap(({ seat, acts }) =>
      acts.map(({ kind, must, receivers, tiles, blind }) => {
        const to = receivers.length ? ` to ${receivers.map((each) => Seat[each]).join(" ")}` : "";
        return `${Seat[seat]} ${must ? "must" : "may"} ${deed(kind, tiles, blind)}${to}`;
      }),
    );
  return set(lines) ?? [];
}

function deed(kind: ActKind, tiles: number, blind: number): string {
  switch (kind) {
    case ActKind.PASS:
      return `pass ${tiles}${blind ? ` blind up to ${blind}` : ""}`;
    case ActKind.OFFER:
      return `offer up to ${tiles}`;
    case ActKind.REPLACE:
      return `replace ${tiles}`;
    case ActKind.HAND_BACK:
      return `hand back up to ${tiles}`;
    default:
      return (ActKind[kind] ?? "").toLowerCase().replaceAll("_", " ");
  }
}

function set(words: string[] | undefined): string[] | undefined {
  return words && [...new Set(words)].sort();
}

function heap(tiles: Tile[]): string {
  return tilesText([...tiles].sort((one, other) => one - other));
}
