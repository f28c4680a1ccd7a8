/**
 * The Charleston referee: its messages, its notation, and what its clients have in common.
 *
 * The clients themselves are in `charleston-referee/node` and `charleston-referee/web`.
 */

export type { ClientOptions } from "./calling.js";
export { RefereeError, type StatusCode, type Violation } from "./errors.js";
export { Hand } from "./hand.js";
export * from "./messages.js";
export type { CallOptions, Questions, Referee, StreamOptions, Trace } from "./referee.js";
export * from "./notation/index.js";
