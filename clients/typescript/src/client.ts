/** One client over any transport: deadlines, attempts, and servers asked in turn. */

import { create, type DescMessage, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { type Asked, Servers, type Way } from "./addresses.js";
import { Calling, type ClientOptions } from "./calling.js";
import { RefereeError, refused } from "./errors.js";
import {
  type Answer,
  type GetRulebookRequestSchema,
  type GetRulebookResponse,
  type JudgeBatchRequestSchema,
  type JudgeBatchResponse,
  type JudgeRequestSchema,
  type JudgeResponse,
  JudgeStreamRequestSchema,
  type JudgeTransitionRequestSchema,
  type JudgeTransitionResponse,
  RefereeService,
  type ReplayRequestSchema,
  type ReplayResponse,
  type WhatNextRequestSchema,
  type WhatNextResponse,
} from "./gen/charleston/referee/v1/service_pb.js";
import type { CallOptions, Questions, Referee, StreamOptions } from "./referee.js";
import { backoff, MOST_ATTEMPTS, pause, SHARES, Throttle } from "./retrying.js";

/**
 * Asks the referees at one address or several.
 *
 * A call that a referee leaves unanswered is repeated, and goes to the next one where there are several, until an
 * answer comes or the deadline is over. `charleston-referee/node` and `charleston-referee/web` make it.
 */
export class Client implements Referee {
  readonly #servers: Servers;
  readonly #calling: Calling;
  readonly #throttle = new Throttle();
  readonly #calls = new Set<AbortController>();
  #closed = false;

  constructor(ways: Way[], options: ClientOptions) {
    this.#calling = new Calling(options);
    this.#servers = new Servers(ways);
  }

  /** Hang up; nothing can be asked any more. */
  close(): void {
    this.#closed = true;
    for (const call of this.#calls) call.abort();
    this.#servers.close();
  }

  judge(request: MessageInitShape<typeof JudgeRequestSchema>, call?: CallOptions): Promise<JudgeResponse> {
    return this.#ask(RefereeService.method.judge, request, call);
  }

  whatNext(request: MessageInitShape<typeof WhatNextRequestSchema>, call?: CallOptions): Promise<WhatNextResponse> {
    return this.#ask(RefereeService.method.whatNext, request, call);
  }

  replay(request: MessageInitShape<typeof ReplayRequestSchema>, call?: CallOptions): Promise<ReplayResponse> {
    return this.#ask(RefereeService.method.replay, request, call);
  }

  judgeTransition(
    request: MessageInitShape<typeof JudgeTransitionRequestSchema>,
    call?: CallOptions,
  ): Promise<JudgeTransitionResponse> {
    return this.#ask(RefereeService.method.judgeTransition, request, call);
  }

  judgeBatch(
    request: MessageInitShape<typeof JudgeBatchRequestSchema>,
    call?: CallOptions,
  ): Promise<JudgeBatchResponse> {
    return this.#ask(RefereeService.method.judgeBatch, request, call);
  }

  getRulebook(
    request: MessageInitShape<typeof GetRulebookRequestSchema>,
    call?: CallOptions,
  ): Promise<GetRulebookResponse> {
    return this.#ask(RefereeService.method.getRulebook, request, call);
  }

  async *judgeStream(questions: Questions, stream: StreamOptions = {}): AsyncGenerator<Answer, void, undefined> {
    const { timeoutMs, trace, signal, options } = stream;
    const call = this.#begun(signal);
    const server = this.#choose();
    let mistaken: { error: unknown } | undefined;
    async function* sent() {
      try {
        for await (const question of questions) {
          const message = create(JudgeStreamRequestSchema, { question, ...(options && { options }) });
          toBinary(JudgeStreamRequestSchema, message); // what cannot be sent throws here, and not somewhere on the way
          yield message;
        }
      } catch (error) {
        mistaken = { error };
        throw error;
      }
    }
    try {
      const answers = createClient(RefereeService, server.way.transport).judgeStream(sent(), {
        // 0 is no deadline: only one of its own ends a stream.
        timeoutMs: timeoutMs === undefined ? 0 : this.#calling.timeoutMs(timeoutMs),
        headers: await this.#calling.headers(trace),
        signal: call.signal,
      });
      for await (const { answer } of answers) {
        this.#servers.answered(server);
        if (answer) yield answer;
      }
    } catch (thrown) {
      if (mistaken) throw mistaken.error; // the caller's own, as it came
      const error = call.ended() ?? refused(thrown);
      if (error.code === "UNAVAILABLE") this.#servers.failed(server);
      throw error;
    } finally {
      call.end();
      call.abort(); // whoever stops listening has hung up
    }
  }

  async #ask<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { timeoutMs, trace, signal }: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const message = create(method.input, request);
    const asked = new Set<Asked>();
    const headers = await this.#calling.headers(trace);
    const ends = performance.now() + this.#calling.timeoutMs(timeoutMs);
    const call = this.#begun(signal);
    let attempts = 1;
    let late = 0;
    try {
      for (;;) {
        const server = this.#choose(asked);
        // gRPC takes whole milliseconds, and Connect takes none of them for no deadline.
        const ms = Math.max(1, Math.ceil((ends - performance.now()) * (SHARES[late] ?? 1)));
        try {
          const answer = await server.way.transport.unary(method, call.signal, ms, headers, message);
          this.#servers.answered(server);
          this.#throttle.answered();
          return answer.message;
        } catch (thrown) {
          toBinary(method.input, message); // what cannot be sent at all is a mistake of the caller's, and throws here
          const error = call.ended() ?? refused(thrown);
          if (error.code !== "UNAVAILABLE" && error.code !== "DEADLINE_EXCEEDED") throw error;
          this.#servers.failed(server);
          asked.add(server);
          const left = ends - performance.now();
          if (error.code === "DEADLINE_EXCEEDED") {
            if (++late >= SHARES.length || left <= 0) throw error;
            continue;
          }
          if (!this.#throttle.failed()) throw error;
          if (this.#servers.another(asked)) continue; // at once, for it has not failed this call yet
          const wait = backoff(attempts);
          if (attempts++ >= MOST_ATTEMPTS || wait >= left) throw error;
          asked.clear();
          await pause(wait, call.signal);
        }
      }
    } finally {
      call.end();
    }
  }

  #choose(asked?: ReadonlySet<Asked>): Asked {
    return this.#servers.choose(asked) ?? this.#servers.soonest();
  }

  /** Begin a call, which the client or the caller's signal can give up; throw if that has happened already. */
  #begun(signal: AbortSignal | undefined) {
    const call = new AbortController();
    const abort = () => call.abort();
    const ended = () => {
      if (this.#closed) return new RefereeError("CANCELLED", "The client is closed.");
      if (signal?.aborted) return new RefereeError("CANCELLED", "The call was given up.", [], { cause: signal.reason });
      return undefined;
    };
    const error = ended();
    if (error) throw error;
    this.#calls.add(call);
    signal?.addEventListener("abort", abort);
    const end = () => {
      this.#calls.delete(call);
      signal?.removeEventListener("abort", abort);
    };
    return { signal: call.signal, abort, ended, end };
  }
}
