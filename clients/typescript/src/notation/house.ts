/** House rules as they are written: their ids, the presets, and the numbers of the set. */

import { create } from "@bufbuild/protobuf";
import { type HouseRules, HouseRulesSchema } from "../gen/charleston/referee/v1/table_pb.js";
import type { Words } from "./words.js";

const IDS = ["stop.at_set_out", "east.13", "left.draws", "east.declares", "ring.ends", "right.north", "claims.closed"];
const PRESETS = new Map([["league", ["stop.at_set_out", "left.draws", "east.declares", "ring.ends"]]]);
const NUMBERS = { flowers: 24, jokers: 10 };

/** Read house rules behind the word `house`; undefined where it says none. */
export function readHouse(words: Words): HouseRules | undefined {
  words.take();
  const chosen = new Set<string>();
  const house = create(HouseRulesSchema);
  while (words.left) {
    const name = words.next;
    if (name === "flowers" || name === "jokers") {
      words.take();
      house[name] = words.number(`none to ${NUMBERS[name]}`, NUMBERS[name]);
    } else if (IDS.includes(name) || PRESETS.has(name)) {
      for (const id of PRESETS.get(words.take()) ?? [name]) chosen.add(id);
    } else {
      words.fail(`a house rule: ${[...IDS, ...PRESETS.keys(), ...Object.keys(NUMBERS)].join(", ")}`);
    }
  }
  house.ids = IDS.filter((id) => chosen.has(id));
  return houseText(house) ? house : undefined;
}

/** Return house rules as they are written, without the word before them; the empty text where there are none. */
export function houseText(house: HouseRules): string {
  const numbers = (["flowers", "jokers"] as const).filter((name) => house[name] !== undefined);
  return [...house.ids, ...numbers.map((name) => `${name} ${house[name]}`)].join(" ");
}
