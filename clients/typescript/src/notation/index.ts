/** Notation: tiles, acts, tables and games as text that a player can read and type. */

export { excerpt } from "./excerpt.js";
export { formatted } from "./formatting.js";
export {
  actsOf,
  type Claim,
  type Game,
  type Line,
  NEWEST_RULEBOOK,
  NotationError,
  type Problem,
  startOf,
} from "./game.js";
export { parseAct, parseGame, parseHouse, parseTable, parseTiles } from "./parsing.js";
export { actText, claimText, gameText, tableText } from "./printing.js";
export { tilesText, tileText } from "./tiles.js";
