/** The canonical printer: one text for each act, table and game. */

import {
  type Act,
  type Place,
  PlayKind,
  type SetOut,
  Seat,
  Stage,
  type Table,
  type Tile,
} from "../gen/charleston/referee/v1/table_pb.js";
import { type Claim, type Game, type Line, NEWEST_RULEBOOK } from "./game.js";
import { houseText } from "./house.js";
import { NOTHING, tilesText, tileText } from "./tiles.js";

const PLAYED = new Map([
  [PlayKind.CALL, "calls"],
  [PlayKind.EXPOSE, "exposes"],
  [PlayKind.DECLARE_DEAD, "declares dead"],
  [PlayKind.DECLARE_MAHJONG, "declares mahjong"],
]);
const PLACES = ["east", "south", "west", "north"] as const;

/** Return an act as it is written, with the stage if it names one; throw RangeError if notation cannot say it. */
export function actText(act: Act): string {
  const nobody = act.kind.case === "deal" || (act.kind.case === "look" && act.kind.value.everyone);
  if (nobody && act.seat) throw new RangeError("an act of all names a seat");
  const done = nobody ? deed(act) : `${seatText(act.seat)} ${deed(act)}`;
  return act.stage ? `${done} at ${stageText(act.stage)}` : done;
}

/** Return what a log claims as it is written. */
export function claimText(claim: Claim): string {
  return `${seatText(claim.seat)} holds ${some(claim.tiles)}`;
}

/** Return a table as it is written: its house rules and stage, then a line a seat, then a line a debt. */
export function tableText(table: Table): string {
  const { rulebook } = table;
  const lines = table.house && houseText(table.house) ? [`house ${houseText(table.house)}`] : [];
  const version = rulebook && rulebook !== NEWEST_RULEBOOK ? ` rulebook ${rulebook}` : "";
  lines.push(`table at ${stageText(table.stage)}${version}`);
  if (table.stage !== Stage.UNDEALT && table.stage !== Stage.THROWN_IN) {
    lines.push(...PLACES.map((name) => `${name.toUpperCase()} ${placeText(table[name])}`));
  }
  lines.push(
    ...table.debts.map(({ debtor, creditor, tiles }) => `${seatText(debtor)} owes ${seatText(creditor)} ${tiles}`),
  );
  return lines.join("\n");
}

/** Return a game as it is written, without the comments it may have had. */
export function gameText(game: Game): string {
  const house = game.house && houseText(game.house);
  const before = game.table ? [tableText(game.table)] : house ? [`house ${house}`] : [];
  return `${[...before, ...game.lines.map(lineText)].join("\n")}\n`;
}

function lineText(line: Line): string {
  return line.act ? actText(line.act) : claimText(line.claim);
}

function deed({ kind }: Act): string {
  switch (kind.case) {
    case "deal":
      return `deal ${PLACES.map((name) => `${name.toUpperCase()} ${some(kind.value[name]?.tiles ?? [])}`).join(" / ")}`;
    case "tilePass": {
      const { receiver } = kind.value;
      return `passes ${pile(kind.value)}${receiver ? ` to ${seatText(receiver)}` : ""}`;
    }
    case "look":
      return kind.value.everyone ? "everyone looks" : `looks ${tilesText(kind.value.tiles)}`.trimEnd();
    case "stop":
      return "stops";
    case "offer":
      return `offers ${said(kind.value.tiles)}`;
    case "handBack":
      return `hands back ${kind.value.jokers} J to ${seatText(kind.value.passer)}`;
    case "replace":
      return `replaces ${some(kind.value.tiles)}`;
    case "draw":
      return `draws ${tileText(kind.value.tile)}`;
    case "count":
      return `counts ${said(kind.value.tiles)}`;
    case "play":
      return kind.value.kind === PlayKind.DISCARD
        ? `discards ${tileText(kind.value.tile)}`
        : said(PLAYED.get(kind.value.kind));
    default:
      throw new RangeError("an act says what is done");
  }
}

function placeText(place: Place | undefined): string {
  if (!place) return `rack ${NOTHING}`;
  const { rack, setOut, incoming, looked, offer } = place;
  return [
    `rack ${some(rack)}`,
    ...(setOut ? [`out ${pile(setOut)}`] : []),
    ...(incoming.length ? [`in ${tilesText(incoming)}`] : []),
    ...(looked ? ["looked"] : []),
    ...(offer === undefined ? [] : [`offer ${offer}`]),
  ].join(" | ");
}

function pile({ tiles, blind, picks }: Pick<SetOut, "tiles" | "blind" | "picks">): string {
  const of = picks.length ? ` of ${picks.join(" ")}` : "";
  return `${tilesText(tiles)} ${blind ? `blind ${blind}` : ""}${of}`.trim() || NOTHING;
}

function some(tiles: readonly Tile[]): string {
  return tilesText(tiles) || NOTHING;
}

function seatText(seat: Seat): string {
  return said(seat ? Seat[seat] : undefined);
}

function stageText(stage: Stage): string {
  return said(stage ? Stage[stage] : undefined);
}

function said<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError("notation cannot write what has no name, or is left out");
  return value;
}
