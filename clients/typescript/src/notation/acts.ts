/** How acts and claims are read: a seat, what it does, and the stage at the end. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type Act,
  ActSchema,
  type DealSchema,
  PlayKind,
  type Seat,
  Stage,
  type Tile,
} from "../gen/charleston/referee/v1/table_pb.js";
import type { Claim } from "./game.js";
import { SEAT_NAMES, SEATS, type Words } from "./words.js";

type Kind = NonNullable<MessageInitShape<typeof ActSchema>["kind"]>;
type Entry = { act: Act; claim?: undefined } | { claim: Claim; act?: undefined };

const VERBS: Record<string, (words: Words) => Kind> = {
  passes: (words) => {
    const pile = readPile(words, "blind", "to", "at");
    const to = words.skip("to") ? { receiver: words.seat() } : {};
    return { case: "tilePass", value: { ...pile, ...to } };
  },
  looks: (words) => ({ case: "look", value: { tiles: words.tiles("at") } }),
  stops: () => ({ case: "stop", value: {} }),
  offers: (words) => ({ case: "offer", value: { tiles: words.number("how many tiles are offered") } }),
  hands: (words) => {
    words.expect("back");
    const jokers = words.number("how many Jokers");
    words.expect("j", "joker", "jokers");
    words.expect("to");
    return { case: "handBack", value: { passer: words.seat(), jokers } };
  },
  replaces: (words) => ({ case: "replace", value: { tiles: words.tiles("at") } }),
  draws: (words) => ({ case: "draw", value: { tile: words.tile() } }),
  counts: (words) => ({ case: "count", value: { tiles: words.number("how many tiles are counted") } }),
  discards: (words) => played(PlayKind.DISCARD, words.tile()),
  calls: () => played(PlayKind.CALL),
  exposes: () => played(PlayKind.EXPOSE),
  declares: (words) => {
    const kinds = new Map([
      ["dead", PlayKind.DECLARE_DEAD],
      ["mahjong", PlayKind.DECLARE_MAHJONG],
    ]);
    const kind = kinds.get(words.next) ?? words.fail("'dead' or 'mahjong'");
    words.take();
    return played(kind);
  },
};
// In the order in which a word that may have been meant is looked for.
const KNOWN_VERBS = ["passes", "pass", ...Object.keys(VERBS).slice(1), "holds"];
const FIRST = ["deal", "everyone", "table", ...SEAT_NAMES];

/** Read one act or claim, to the end of its line. */
export function readEntry(words: Words): Entry {
  if (words.skip("deal", "deals")) return { act: ended(words, 0, { case: "deal", value: dealt(words) }) };
  if (words.skip("everyone", "everybody", "all")) {
    words.expect("looks", "look");
    return { act: ended(words, 0, { case: "look", value: { everyone: true } }) };
  }
  if (!words.isSeat) words.fail("a seat, 'deal' or 'everyone'", FIRST);
  const seat = words.seat();
  if (words.skip("holds")) {
    const claim = { seat, tiles: words.tiles() };
    words.end();
    return { claim };
  }
  const verb = words.next === "pass" ? "passes" : words.next;
  const read = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!read) words.fail("what the seat does, such as passes, looks, stops, offers or discards", KNOWN_VERBS);
  words.take();
  return { act: ended(words, seat, read(words)) };
}

/** Read what a seat sets out: tiles, and how many are taken blind, up to one of the words. */
export function readPile(words: Words, ...until: string[]): { tiles: Tile[]; blind: number; picks: number[] } {
  const tiles = words.tiles(...until);
  if (!words.skip("blind")) return { tiles, blind: 0, picks: [] };
  const blind = words.number("how many tiles are taken blind");
  const picks = words.skip("of") ? words.numbers() : [];
  if (picks.length && picks.length !== blind) {
    words.fail("other picks: there are as many picks as tiles taken blind, or none");
  }
  if (new Set(picks).size !== picks.length || !picks.every((pick) => 1 <= pick && pick <= 3)) {
    words.fail("other picks: picks are distinct places in the pile that comes in, from 1 to 3");
  }
  return { tiles, blind, picks };
}

function ended(words: Words, seat: Seat, kind: Kind): Act {
  const stage = words.skip("at") ? words.stage() : Stage.UNSPECIFIED;
  words.end();
  return create(ActSchema, { seat, stage, kind });
}

function played(kind: PlayKind, tile?: Tile): Kind {
  return { case: "play", value: { kind, ...(tile && { tile }) } };
}

function dealt(words: Words): MessageInitShape<typeof DealSchema> {
  const racks = new Map<Seat, { tiles: Tile[] }>();
  do {
    const seat = words.seat();
    if (racks.has(seat)) words.fail("another seat: this one has its rack already");
    racks.set(seat, { tiles: words.tiles("/", "at") });
  } while (words.skip("/"));
  const [east, south, west, north] = SEATS.map((seat) => racks.get(seat));
  if (east && south && west && north) return { east, south, west, north };
  const missing = SEAT_NAMES.filter((_, index) => !racks.has(SEATS[index] as Seat));
  return words.fail(`a rack for ${missing.join(" and ")}`);
}
