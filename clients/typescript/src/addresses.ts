/** Where referees are: several servers asked in turn, those that do not answer left alone for a while. */

import type { Transport } from "@connectrpc/connect";

/** How long a server that did not answer is passed over, in milliseconds. */
export const REST_MS = 2000;

/** A way to one server. */
export interface Way {
  /** What carries calls there. */
  readonly transport: Transport;
  /** Hang up. */
  close(): void;
}

class Server {
  /** Until when it is passed over; 0 while it answers. */
  restsUntil = 0;

  constructor(readonly way: Way) {}
}

/** The servers of a client, in turn. */
export class Servers {
  readonly #servers: Server[];
  #next = 0;

  /** Ask these, beginning anywhere, so that clients that start together spread. */
  constructor(ways: Way[], chance: () => number = Math.random) {
    this.#servers = ways.map((way) => new Server(way));
    this.#next = Math.floor(chance() * ways.length);
  }

  /** Choose the server to ask next, one that a call has not `asked` if there is one; undefined if all rest. */
  choose(asked: ReadonlySet<Server> = new Set()): Server | undefined {
    const now = performance.now();
    for (let turn = 0; turn < this.#servers.length; turn++) {
      const at = (this.#next + turn) % this.#servers.length;
      const server = this.#servers[at] as Server;
      if (asked.has(server) || server.restsUntil > now) continue;
      this.#next = at + 1;
      // One call finds out whether a server is back; those beside it go elsewhere meanwhile.
      if (server.restsUntil) server.restsUntil = now + REST_MS;
      return server;
    }
    return undefined;
  }

  /** Tell whether there is a server that does not rest and that a call has not `asked`. */
  another(asked: ReadonlySet<Server>): boolean {
    const now = performance.now();
    return this.#servers.some((server) => !asked.has(server) && server.restsUntil <= now);
  }

  /** Choose among servers that all rest: the one that has rested longest. */
  soonest(): Server {
    return this.#servers.reduce((one, other) => (other.restsUntil < one.restsUntil ? other : one));
  }

  /** Take note of an answer. */
  answered(server: Server): void {
    server.restsUntil = 0;
  }

  /** Take note that a server did not answer. */
  failed(server: Server): void {
    server.restsUntil = performance.now() + REST_MS;
  }

  /** Hang up everywhere. */
  close(): void {
    for (const server of this.#servers) server.way.close();
  }
}

/** A server that is asked, for whoever has to say later how that went. */
export type Asked = Server;

/** Return the addresses of a list, or of a text with commas between them; throw TypeError where there is none. */
export function listed(addresses: string | readonly string[]): string[] {
  const list = (typeof addresses === "string" ? addresses.split(",") : addresses).map((each) => each.trim());
  if (!list.length || !list.every(Boolean)) {
    throw new TypeError(`expected an address, or several, not ${JSON.stringify(addresses)}`);
  }
  return list;
}

/** Tell whether what is sent to a host never leaves this machine. */
export function staysHere(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}
