/** How tiles are written, and the other ways of writing them that are read. */

import { Tile } from "../gen/charleston/referee/v1/table_pb.js";

/** How many tiles a usual set has; a tile is not repeated more often than that. */
export const SET_SIZE = 152;
/** The word for no tiles. */
export const NOTHING = "nothing";

const SUITS = ["b", "c", "d"].map((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${number}${suit}`));
const TEXTS = ["", ...SUITS.flat(), "E", "S", "W", "N", "R", "G", "O", "F", "J", "?"];
const ALSO: [string, Tile][] = [
  ["red", Tile.RED],
  ["green", Tile.GREEN],
  ["soap", Tile.SOAP],
  ["flower", Tile.FLOWER],
  ["joker", Tile.JOKER],
  ["jokers", Tile.JOKER],
];
const SPELT: Record<string, string> = { b: "bam", c: "crak", d: "dot" };

/** Every word that is read as a tile, in lower case. */
export const READ_TILE: ReadonlyMap<string, Tile> = new Map([
  ...TEXTS.flatMap((text, tile): [string, Tile][] => (text ? [[text.toLowerCase(), tile]] : [])),
  ...SUITS.flat().flatMap((text): [string, Tile][] => {
    const spelt = `${text.charAt(0)}${SPELT[text.charAt(1)]}`;
    return [spelt, `${spelt}s`].map((word) => [word, TEXTS.indexOf(text)]);
  }),
  ...ALSO,
]);

/** Return a tile as it is written, such as `3b`; throw RangeError if it is none. */
export function tileText(tile: Tile): string {
  const text = TEXTS[tile];
  if (!text) throw new RangeError(`${tile} is no tile`);
  return text;
}

/** Return tiles as they are written, in the order given; the empty text for none. */
export function tilesText(tiles: Iterable<Tile>): string {
  return [...tiles].map(tileText).join(" ");
}
