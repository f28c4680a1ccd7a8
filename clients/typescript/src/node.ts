/** The client for Node: gRPC over HTTP/2, plain or with TLS. */

import { Code, ConnectError } from "@connectrpc/connect";
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
// A cut link tells nobody. More often than this, a server that was not told so would hang up.
const KEEPALIVE = { pingIntervalMs: 30_000, pingTimeoutMs: 5_000 };

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
    const sessions = new Http2SessionManager(baseUrl, KEEPALIVE, tls ? secure(tls, authority) : {});
    return {
        transport: createGrpcTransport({ baseUrl, sessionManager: sessions }),
        renew: () => {
            if (sessions.state() === "connecting" || sessions.state() === "verifying") {
                sessions.abort(new ConnectError("the connection was given up", Code.Unavailable));
            }
        },
        close: () => sessions.abort(),
    };
}

function secure({ roots, certificate, key }: Tls, authority: string | undefined) {
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
