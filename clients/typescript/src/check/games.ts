/** Games as they are asked about: acts and claims in order, each with its line, and the question without its acts. */

import { create, type JsonObject, toJsonString } from "@bufbuild/protobuf";
import { type ReplayRequest, ReplayRequestSchema } from "../gen/charleston/referee/v1/service_pb.js";
import {
  type Act,
  ActSchema,
  type HouseRules,
  Stage,
  type Table,
  TableSchema,
} from "../gen/charleston/referee/v1/table_pb.js";
import { actText, type Claim, claimText, NotationError, parseGame, startOf } from "../notation/index.js";
import { messageOf, unread } from "./source.js";

/** An act of a game. */
export interface ActEntry {
  readonly act: Act;
  readonly text: string;
  /** Undefined where the game is not written in lines. */
  readonly line: number | undefined;
}

/** What the game's own log claims. */
export interface ClaimEntry {
  readonly claim: Claim;
  readonly text: string;
  readonly line: number;
}

/** A game to replay; `asked` is the question without its acts. */
export interface Game {
  readonly name: string;
  readonly entries: readonly (ActEntry | ClaimEntry)[];
  readonly asked: ReplayRequest;
}

/** Read a game in notation. */
export function writtenGame(name: string, text: string): Game {
  try {
    const game = parseGame(text);
    const entries = game.lines.map(({ number: line, act, claim }) =>
      act ? { act, text: actText(act), line } : { claim, text: claimText(claim), line },
    );
    const table = game.table || game.house ? { table: startOf(game) } : {};
    return { name, entries, asked: create(ReplayRequestSchema, table) };
  } catch (error) {
    throw error instanceof NotationError ? unread(name, error) : error;
  }
}

/** Read a game as a ReplayRequest. */
export function jsonGame(name: string, data: JsonObject): Game {
  const asked = messageOf(name, data, ReplayRequestSchema);
  const entries = asked.acts.map((act) => ({ act, text: said(act), line: undefined }));
  asked.acts = [];
  return { name, entries, asked };
}

/** Write an act in notation, or as protobuf JSON if it says more than this notation can. */
export function said(act: Act): string {
  try {
    return actText(act);
  } catch {
    return toJsonString(ActSchema, act);
  }
}

/** Return the table with these house rules, if there are any and it has none of its own. */
export function atHome(table: Table | undefined, house: HouseRules | undefined): Table | undefined {
  if (!house || table?.house) return table;
  const played = table ?? create(TableSchema, { stage: Stage.UNDEALT });
  played.house = house;
  return played;
}
