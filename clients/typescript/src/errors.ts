/** What there is instead of an answer: one error, with the fields at fault where the referee names them. */

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "./gen/google/rpc/error_details_pb.js";

const NAMES = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;

/** The name of a gRPC status code, such as `"INVALID_ARGUMENT"`. */
export type StatusCode = (typeof NAMES)[number];

/** A field of a question that cannot be put to a referee. */
export interface Violation {
  /** Its path in proto names, such as `act.tile_pass.tiles[2]`. */
  readonly field: string;
  /** The name of the reason, such as `MISSING`. */
  readonly reason: string;
  /** A sentence. */
  readonly description: string;
}

/**
 * No answer. An illegal act is an answer like any other, and never this.
 *
 * Where the code is UNAVAILABLE, DEADLINE_EXCEEDED or CANCELLED nobody answered: hold the act, and ask again. Every
 * other code is about the question, and repeating it does not help.
 */
export class RefereeError extends Error {
  override readonly name = "RefereeError";

  /**
   * @param code - the status code
   * @param reason - what is wrong, as a sentence
   * @param violations - the fields at fault, where the referee names them
   */
  constructor(
    readonly code: StatusCode,
    readonly reason: string,
    readonly violations: readonly Violation[] = [],
    options?: ErrorOptions,
  ) {
    super(`${code}: ${reason}`, options);
  }
}

/** Return what a failed call means: a status of the referee's, or that it was lost on the way. */
export function refused(thrown: unknown): RefereeError {
  if (thrown instanceof RefereeError) return thrown;
  const error = ConnectError.from(thrown, Code.Internal);
  // Without a status nobody has judged anything, whatever broke on the way; nor has a server that stops and says
  // CANCELLED of a call that came in this very moment. Any other server may answer.
  const lost = error.code === Code.Canceled || (!error.metadata.has("grpc-status") && LOST.has(error.code));
  const violations = error.findDetails(BadRequestSchema).flatMap((details) => details.fieldViolations);
  return new RefereeError(
    lost ? "UNAVAILABLE" : (NAMES[error.code] ?? "UNKNOWN"),
    error.rawMessage,
    violations.map(({ field, reason, description }) => ({ field, reason, description })),
    { cause: thrown },
  );
}

const LOST = new Set([Code.Internal, Code.Aborted, Code.Unknown]);
