/** The questions that a referee answers, each a method, whatever carries them. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  Answer,
  AnswerOptionsSchema,
  GetRulebookRequestSchema,
  GetRulebookResponse,
  JudgeBatchRequestSchema,
  JudgeBatchResponse,
  JudgeRequestSchema,
  JudgeResponse,
  JudgeTransitionRequestSchema,
  JudgeTransitionResponse,
  QuestionSchema,
  ReplayRequestSchema,
  ReplayResponse,
  WhatNextRequestSchema,
  WhatNextResponse,
} from "./gen/charleston/referee/v1/service_pb.js";

/** W3C trace context, such as OpenTelemetry injects into a carrier: `traceparent` and `tracestate` are sent. */
export type Trace = Readonly<Record<string, string | undefined>>;

/** What can be said of one call. */
export interface CallOptions {
  /** The milliseconds that the call may take, attempts and pauses together; the client's, where it is not given. */
  timeoutMs?: number | undefined;
  /** The trace that the call is part of; the client's, where it is not given. */
  trace?: Trace | undefined;
  /** Ends the call early, with a RefereeError whose code is CANCELLED. */
  signal?: AbortSignal | undefined;
}

/** What can be said of a stream: without `timeoutMs` it has no end of its own. */
export interface StreamOptions extends CallOptions {
  /** How to answer every question of the stream. */
  options?: MessageInitShape<typeof AnswerOptionsSchema> | undefined;
}

/** Questions for a stream, taken one by one as there is room for them. */
export type Questions =
  Iterable<MessageInitShape<typeof QuestionSchema>> | AsyncIterable<MessageInitShape<typeof QuestionSchema>>;

/**
 * A referee to ask, wherever it is.
 *
 * An illegal act is an answer like any other. What rejects with a {@link RefereeError} is a question that describes no
 * table or act, and a referee that cannot be reached or does not answer before the deadline. Every call may be
 * repeated: a referee remembers nothing.
 */
export interface Referee {
  /** Ask whether one act may be played at one table. */
  judge(request: MessageInitShape<typeof JudgeRequestSchema>, call?: CallOptions): Promise<JudgeResponse>;

  /** Ask how a table stands and what comes next. */
  whatNext(request: MessageInitShape<typeof WhatNextRequestSchema>, call?: CallOptions): Promise<WhatNextResponse>;

  /** Ask about acts played one after another. */
  replay(request: MessageInitShape<typeof ReplayRequestSchema>, call?: CallOptions): Promise<ReplayResponse>;

  /** Ask whether one table can lawfully follow another. */
  judgeTransition(
    request: MessageInitShape<typeof JudgeTransitionRequestSchema>,
    call?: CallOptions,
  ): Promise<JudgeTransitionResponse>;

  /** Ask many questions of `judge` at once; what is wrong with one of them is its own answer, not an error. */
  judgeBatch(
    request: MessageInitShape<typeof JudgeBatchRequestSchema>,
    call?: CallOptions,
  ): Promise<JudgeBatchResponse>;

  /**
   * Ask question after question, and yield the answers in order.
   *
   * A stream is not repeated: what has no answer when it ends may be asked again.
   */
  judgeStream(questions: Questions, stream?: StreamOptions): AsyncIterable<Answer>;

  /** Ask for the articles by which this referee judges. */
  getRulebook(
    request: MessageInitShape<typeof GetRulebookRequestSchema>,
    call?: CallOptions,
  ): Promise<GetRulebookResponse>;
}
