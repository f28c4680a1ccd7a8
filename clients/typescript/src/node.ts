/** The client for Node: gRPC over HTTP/2, plain or with TLS. */

import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { listed, staysHere, type Way } from "./addresses.js";
import { type ClientOptions, guarded } from "./calling.js";
import { Client } from "./client.js";

/** What TLS needs, as PEM: the roots that servers are trusted by, and for mutual TLS a certificate and its key. */
export interface Tls {
  /** The certificates of whoever signs those of the servers; those of Node, where it is not given. */
  roots?: string | Uint8Array | undefined;
  /** The client's own certificate, for mutual TLS. */
  certificate?: string | Uint8Array | undefined;
  /** The key of that certificate. */
  key?: string | Uint8Array | undefined;
}

/** What can be said of a client in Node. */
export interface NodeOptions extends ClientOptions {
  /** Without it calls are plain; `{}` trusts the roots of Node. */
  tls?: Tls | undefined;
  /** The name in the servers' certificates, where it is not the host's. */
  authority?: string | undefined;
}

const ADDRESS = /^(\[[0-9a-fA-F:.]+\]|[^\s:/?#@[\]]+):(\d{1,5})$/;
/** How long a connection may take to be made, in milliseconds. */
const DIAL_MS = 2000;
// A cut link tells nobody. More often than this, a server that was not told so would hang up.
const KEEPALIVE = { pingIntervalMs: 30_000, pingTimeoutMs: 2_000 };

/** Asks referees over gRPC, from Node. Make one when a program starts, and `close` it when it stops. */
export class RefereeClient extends Client {
  /**
   * Prepare to call.
   *
   * @param address - "host:port", several between commas, or a list; several are asked in turn
   * @param options - how to call
   * @throws TypeError if something of it cannot be
   */
  constructor(address: string | readonly string[], options: NodeOptions = {}) {
    super(
      listed(address).map((each) => way(each, options)),
      options,
    );
  }
}

function way(address: string, options: NodeOptions): Way {
  const { tls, authority } = options;
  const [, host, port] = ADDRESS.exec(address) ?? [];
  if (!host || Number(port) > 65535) {
    throw new TypeError(`expected host:port such as 127.0.0.1:50051, not ${JSON.stringify(address)}`);
  }
  if (tls && !tls.certificate !== !tls.key) {
    throw new TypeError("mutual TLS takes a certificate and its key, not one of them");
  }
  const baseUrl = `${tls ? "https" : "http"}://${guarded(address, options, Boolean(tls) || staysHere(host))}`;
  const createConnection = () => dialled(host.replace(/^\[|\]$/g, ""), Number(port), tls && secure(tls, authority));
  const sessions = new Http2SessionManager(baseUrl, KEEPALIVE, { createConnection });
  return {
    transport: createGrpcTransport({ baseUrl, sessionManager: sessions }),
    close: () => {
      // A connection that is being made cannot be hung up: what goes wrong with it then would have nobody to tell.
      if (sessions.state() === "connecting") void sessions.connect().then(() => sessions.abort());
      else sessions.abort();
    },
  };
}

/** Make a connection, and give it up where it takes too long: without an end Node waits for minutes. */
function dialled(host: string, port: number, tls: ConnectionOptions | undefined): Socket {
  const to = { host, port, noDelay: true };
  const name = isIP(host) ? {} : { servername: host };
  const socket = tls ? connectTls({ ...to, ...name, ...tls, ALPNProtocols: ["h2"] }) : connect(to);
  const late = setTimeout(() => socket.destroy(new Error(`${host}:${port} took too long to connect`)), DIAL_MS);
  const made = () => clearTimeout(late);
  return socket.once(tls ? "secureConnect" : "connect", made).once("close", made);
}

function secure({ roots, certificate, key }: Tls, authority: string | undefined): ConnectionOptions {
  return {
    ...(roots && { ca: pem(roots) }),
    ...(certificate && { cert: pem(certificate) }),
    ...(key && { key: pem(key) }),
    ...(authority && { servername: authority }),
  };
}

function pem(text: string | Uint8Array): string | Buffer {
  return typeof text === "string" ? text : Buffer.from(text);
}
