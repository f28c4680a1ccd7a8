/** The client for browsers: gRPC-Web over fetch, to a proxy such as Envoy that translates it. */

import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { listed, staysHere, type Way } from "./addresses.js";
import { type ClientOptions, guarded } from "./calling.js";
import { Client } from "./client.js";
import type { Answer } from "./gen/charleston/referee/v1/service_pb.js";
import type { Questions, StreamOptions } from "./referee.js";

/** What can be said of a client in a browser. */
export interface WebOptions extends ClientOptions {
  /** What makes requests, where it is not the browser's own `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Asks referees over gRPC-Web, from a browser or whatever else has `fetch`. */
export class RefereeClient extends Client {
  /**
   * Prepare to call.
   *
   * @param address - where the proxy serves, such as "https://referee.example.org"; several between commas, or a list
   * @param options - how to call
   * @throws TypeError if something of it cannot be
   */
  constructor(address: string | readonly string[], options: WebOptions = {}) {
    super(
      listed(address).map((each) => way(each, options)),
      options,
    );
  }

  /**
   * Ask question after question, and yield the answers in order.
   *
   * A browser cannot send a stream, so each question goes as a batch of one, once the answer before it is taken.
   * `timeoutMs` is for each.
   */
  override async *judgeStream(
    questions: Questions,
    stream: StreamOptions = {},
  ): AsyncGenerator<Answer, void, undefined> {
    const { options, ...call } = stream;
    for await (const question of questions) {
      yield* (await this.judgeBatch({ questions: [question], ...(options && { options }) }, call)).answers;
    }
  }
}

function way(address: string, options: WebOptions): Way {
  const { protocol, hostname } = parsed(address);
  guarded(address, options, protocol === "https:" || staysHere(hostname));
  return {
    transport: createGrpcWebTransport({ baseUrl: address, ...(options.fetch && { fetch: options.fetch }) }),
    close: () => {},
  };
}

function parsed(address: string): URL {
  try {
    if (/^https?:\/\//.test(address)) return new URL(address);
  } catch {
    // What it should have been is told below.
  }
  throw new TypeError(`expected a URL such as https://referee.example.org, not ${JSON.stringify(address)}`);
}
