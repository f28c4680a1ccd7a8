/** Games judged act by act, and what their logs claim compared with the table. */

import { clone, create } from "@bufbuild/protobuf";
import { RefereeError } from "../errors.js";
import { type Ruling, Verdict } from "../gen/charleston/referee/v1/ruling_pb.js";
import {
  type JudgeTransitionRequest,
  JudgeTransitionRequestSchema,
  ReplayRequestSchema,
} from "../gen/charleston/referee/v1/service_pb.js";
import { type Act, type Seat, type Table, TableSchema, Tile } from "../gen/charleston/referee/v1/table_pb.js";
import type { Referee } from "../referee.js";
import type { ActEntry, ClaimEntry, Game } from "./games.js";
import { refusedQuestion } from "./source.js";

/** An act and the ruling on it. */
export interface Judged {
  readonly entry: ActEntry;
  readonly ruling: Ruling;
  readonly lawful: boolean;
}

/**
 * A claim and the table: tiles that it names and the rack has not, and the other way round; and how the table came
 * about since the claims before it.
 */
export interface Compared {
  readonly claim: ClaimEntry;
  readonly missing: readonly Tile[];
  readonly beyond: readonly Tile[];
  readonly since: JudgeTransitionRequest;
  readonly lawful: boolean;
}

/** Ask about a game: up to each claim its acts in one question, and then whether the claim holds. */
export async function replay(referee: Referee, game: Game, skipIllegal: boolean): Promise<(Judged | Compared)[]> {
  const steps: (Judged | Compared)[] = [];
  const asked = clone(ReplayRequestSchema, game.asked);
  asked.skipIllegal ||= skipIllegal;
  let since = from(asked.table, []);
  for (const group of grouped(game.entries)) {
    if ("claims" in group) {
      steps.push(...group.claims.map((claim) => compared(claim, since)));
      continue;
    }
    const before = asked.table;
    asked.acts = group.acts.map(({ act }) => act);
    const { rulings, standing } = await referee.replay(asked).catch((error: unknown) => {
      const lines = group.acts.map(({ line }) => line);
      throw error instanceof RefereeError ? refusedQuestion(game.name, error, lines) : error;
    });
    const judged = rulings.map((ruling, at) => ({
      entry: group.acts[at] as ActEntry,
      ruling,
      lawful: !ruling.broken.length,
    }));
    steps.push(...judged);
    if (standing?.table) asked.table = standing.table;
    const played = judged.filter(({ ruling }) => ruling.verdict !== Verdict.ILLEGAL).map(({ entry }) => entry.act);
    since = from(before, played, asked.table);
    if (rulings.at(-1)?.verdict === Verdict.ILLEGAL && !asked.skipIllegal) break;
  }
  return steps;
}

/** Return the tiles that a rack does not show. */
export function unnamed(rack: readonly Tile[], tiles: readonly Tile[]): Tile[] {
  const left = [...rack];
  const short = tiles.filter((tile) => {
    const at = left.indexOf(tile);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return short.sort((one, other) => one - other);
}

/** Return the rack of a seat. */
export function placeOf(table: Table, seat: Seat): "east" | "south" | "west" | "north" {
  const name = (["east", "south", "west", "north"] as const)[seat - 1];
  if (!name) throw new RangeError(`${seat} is no seat of ${table.$typeName}`);
  return name;
}

function compared(claim: ClaimEntry, since: JudgeTransitionRequest): Compared {
  const { seat, tiles } = claim.claim;
  const table = since.after ?? create(TableSchema);
  const rack = table[placeOf(table, seat)]?.rack ?? [];
  const [missing, beyond] = [unnamed(rack, tiles), unnamed(tiles, rack)];
  return { claim, missing, beyond, since, lawful: !missing.length && !beyond.length };
}

function from(before: Table | undefined, acts: Act[], after = before): JudgeTransitionRequest {
  return create(JudgeTransitionRequestSchema, {
    ...(before && { before: clone(TableSchema, before) }),
    ...(after && { after: clone(TableSchema, after) }),
    acts: { acts },
  });
}

/** Yield runs of acts and runs of claims, as they follow each other. */
function* grouped(entries: Game["entries"]): Generator<{ acts: ActEntry[] } | { claims: ClaimEntry[] }> {
  let acts: ActEntry[] = [];
  let claims: ClaimEntry[] = [];
  for (const entry of entries) {
    if ("act" in entry) {
      if (claims.length) yield { claims };
      claims = [];
      acts.push(entry);
    } else {
      if (acts.length) yield { acts };
      acts = [];
      claims.push(entry);
    }
  }
  if (acts.length) yield { acts };
  if (claims.length) yield { claims };
}
