/** What a written game holds, and what is wrong with one that cannot be read. */

import { create } from "@bufbuild/protobuf";
import {
  type Act,
  type HouseRules,
  type Seat,
  Stage,
  type Table,
  TableSchema,
  type Tile,
} from "../gen/charleston/referee/v1/table_pb.js";

/** The newest version of the rulebook that this notation knows: a table that names none is by it. */
export const NEWEST_RULEBOOK = 1;

/** What a game's own log says that a seat holds here; it is no act. */
export interface Claim {
  readonly seat: Seat;
  readonly tiles: readonly Tile[];
}

/** An act or a claim, and the line it stands on, from 1. */
export type Line =
  | { readonly number: number; readonly act: Act; readonly claim?: undefined }
  | { readonly number: number; readonly claim: Claim; readonly act?: undefined };

/** Acts and claims in order. */
export interface Game {
  readonly lines: readonly Line[];
  /** The table that they start from; absent where they start from nothing dealt. */
  readonly table?: Table | undefined;
  /** The house rules of a game without a table; absent where it has none. */
  readonly house?: HouseRules | undefined;
}

/** Return the acts of a game alone, in order. */
export function actsOf(game: Game): Act[] {
  return game.lines.flatMap((line) => line.act ?? []);
}

/** Return the table that the first act of a game meets. */
export function startOf(game: Game): Table {
  if (game.table) return game.table;
  const { house } = game;
  return create(TableSchema, { rulebook: NEWEST_RULEBOOK, stage: Stage.UNDEALT, ...(house && { house }) });
}

/** What cannot be read, and where: line and column count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A text that cannot be read, with every problem found in it, in the order of the text. */
export class NotationError extends Error {
  override readonly name = "NotationError";

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`).join("\n"));
  }
}
