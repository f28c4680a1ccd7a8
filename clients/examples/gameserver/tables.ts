/** Where tables come from, and where they are kept between two acts. */

import { randomInt } from "node:crypto";
import {
  create,
  type Deal,
  DealSchema,
  fromBinary,
  Stage,
  type Table,
  TableSchema,
  Tile,
  toBinary,
} from "charleston-referee";

/** Keeps tables in memory, each with a version. Here goes the database; nothing else of the server knows it. */
export class Store {
  readonly #rows = new Map<string, { version: number; tiles: Uint8Array }>();

  /**
   * Return the version of a hand and its table; version 0 is a new hand, with nothing dealt.
   *
   * SELECT version, tiles FROM hands WHERE hand = $1
   */
  async load(hand: string): Promise<{ version: number; table: Table }> {
    // The server sees every face, so nobody's word is taken for a count or a Joker.
    const dealt = create(TableSchema, { stage: Stage.UNDEALT, house: { ids: ["claims.closed"] } });
    const { version, tiles } = this.#rows.get(hand) ?? { version: 0, tiles: toBinary(TableSchema, dealt) };
    return { version, table: fromBinary(TableSchema, tiles) };
  }

  /**
   * Store a table if the stored version is still this one; tell whether it was.
   *
   * UPDATE hands SET version = version + 1, tiles = $3 WHERE hand = $1 AND version = $2
   */
  async swap(hand: string, version: number, table: Table): Promise<boolean> {
    if ((this.#rows.get(hand)?.version ?? 0) !== version) return false;
    this.#rows.set(hand, { version: version + 1, tiles: toBinary(TableSchema, table) });
    return true;
  }
}

/** Deal from a shuffled set of 152 tiles: fourteen to East, thirteen to everybody else. */
export function shuffled(): Deal {
  const faces = Array.from({ length: Tile.JOKER }, (_, index): Tile => index + 1);
  const wall = faces.flatMap((face) => Array<Tile>(face >= Tile.FLOWER ? 8 : 4).fill(face));
  const rack = (size: number) => ({
    tiles: Array.from({ length: size }, () => wall.splice(randomInt(wall.length), 1)[0]!),
  });
  return create(DealSchema, { east: rack(14), south: rack(13), west: rack(13), north: rack(13) });
}
