/** What goes with a call, whatever carries it: the language, the token and the trace, all checked. */

import type { Trace } from "./referee.js";

/** What can be said of a client, for Node and for browsers. */
export interface ClientOptions {
  /** The milliseconds that a call may take unless it says; 5000. */
  timeoutMs?: number | undefined;
  /** A bearer token, or what gives one for each call; never sent in plain to another machine. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** Such as `"fr"` or `"nl, en;q=0.5"`, for questions that name no language. */
  language?: string | undefined;
  /** Gives the W3C trace context for calls that name none. */
  trace?: (() => Trace) | undefined;
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}[ -~]{0,200}$/;
const TRACESTATE = /^[ -~]{1,512}$/;
const TOKEN = /^[!-~]+$/;

/** What a client's calls carry, and how long they may take. */
export class Calling {
  readonly #timeoutMs: number;

  /** Check all that can be checked before a call; throw TypeError with what is wrong. */
  constructor(private readonly options: ClientOptions) {
    this.#timeoutMs = deadline(options.timeoutMs ?? 5000);
    if (typeof options.token === "string") checked(options.token);
    if (options.language && !TRACESTATE.test(options.language)) {
      throw new TypeError(`expected languages such as 'fr' or 'nl, en;q=0.5', not ${JSON.stringify(options.language)}`);
    }
  }

  /** Return the milliseconds of a call that says so many, or nothing. */
  timeoutMs(ms: number | undefined): number {
    return ms === undefined ? this.#timeoutMs : deadline(ms);
  }

  /** Return what goes with a call: the language, the token, and the trace that the call or the client names. */
  async headers(trace: Trace | undefined): Promise<Record<string, string>> {
    const { language, token } = this.options;
    return {
      ...(language ? { "accept-language": language } : {}),
      ...(token ? { authorization: `Bearer ${checked(typeof token === "string" ? token : await token())}` } : {}),
      ...traced(trace ?? this.options.trace?.() ?? {}),
    };
  }
}

/** Return the milliseconds of a deadline, whole ones; throw TypeError if they are none or without end. */
export function deadline(ms: number): number {
  if (!(ms > 0 && ms < 2 ** 31)) throw new TypeError(`a deadline is a number of milliseconds above none, not ${ms}`);
  return Math.ceil(ms);
}

/** Return the address, or throw TypeError: a token is not sent where anybody on the way could read it. */
export function guarded(address: string, options: ClientOptions, safe: boolean): string {
  if (options.token === undefined || safe) return address;
  throw new TypeError(`a token is not sent to ${address} without TLS: anybody on the way could read it`);
}

function traced({ traceparent, tracestate }: Trace): Record<string, string> {
  // A trace that is not well-formed is left out, as W3C asks: it must never stop a ruling.
  if (!traceparent || !TRACEPARENT.test(traceparent)) return {};
  return tracestate && TRACESTATE.test(tracestate) ? { traceparent, tracestate } : { traceparent };
}

function checked(token: string): string {
  if (!TOKEN.test(token)) throw new TypeError("a token is visible ASCII without spaces"); // what it is stays unsaid
  return token;
}
