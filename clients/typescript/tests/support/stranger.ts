/** Servers that are no referee of ours: they remember what a call carried, and answer, or pass it on to a referee. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createSecureServer, createServer as createPlainServer } from "node:http2";
import { createServer as createSocket, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { type ConnectRouter, createClient } from "@connectrpc/connect";
import { connectNodeAdapter, createGrpcTransport } from "@connectrpc/connect-node";
import { RefereeService } from "charleston-referee";

/** A server that remembers the headers of every call. */
export interface Stranger {
  readonly address: string;
  readonly calls: Headers[];
  stop(): void;
}

/** The files of a certificate: of whoever signed it, its own, and its key. */
export function certificate(folder: string) {
  const [roots, own, key] = ["client.pem", "server.pem", "server.key"].map((name) => readFileSync(join(folder, name)));
  if (!roots || !own || !key) throw new Error("a certificate has three files");
  return { roots, certificate: own, key };
}

/** Serve gRPC, plain or with a certificate: every WhatNext is answered in the language that was asked for. */
export async function remembering(own?: ReturnType<typeof certificate>, mutual = false): Promise<Stranger> {
  const calls: Headers[] = [];
  const routes = (router: ConnectRouter) =>
    router.rpc(RefereeService.method.whatNext, (_, { requestHeader }) => {
      calls.push(requestHeader);
      return { language: requestHeader.get("accept-language") ?? "en" };
    });
  const handler = connectNodeAdapter({ routes });
  const asked = mutual && { ca: own?.roots, requestCert: true, rejectUnauthorized: true };
  const server = own
    ? createSecureServer({ cert: own.certificate, key: own.key, ...asked }, handler)
    : createPlainServer(handler);
  // A handshake that fails is what some of these tests want.
  server.on("sessionError", () => {});
  return { address: await listening(server), calls, stop: () => void server.close() };
}

/** Serve gRPC-Web to browsers, and pass every question on to a referee, as a proxy in front of it does. */
export async function translating(referee: string): Promise<Stranger> {
  const calls: Headers[] = [];
  const behind = createClient(RefereeService, createGrpcTransport({ baseUrl: `http://${referee}` }));
  const routes = (router: ConnectRouter) =>
    router.service(RefereeService, {
      judge: (question, { requestHeader: headers, signal }) => {
        calls.push(headers);
        return behind.judge(question, { headers: passedOn(headers), signal });
      },
      whatNext: (question, { requestHeader: headers }) => behind.whatNext(question, { headers: passedOn(headers) }),
      replay: (question) => behind.replay(question),
      judgeTransition: (question) => behind.judgeTransition(question),
      judgeBatch: (question) => behind.judgeBatch(question),
      getRulebook: (question) => behind.getRulebook(question),
    });
  const server = createServer(connectNodeAdapter({ routes, connect: false, grpc: false }));
  const address = await listening(server);
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://${address}`, calls, stop };
}

/** Take connections and never answer. */
export async function silent(): Promise<Stranger> {
  const server = createSocket();
  return { address: await listening(server), calls: [], stop: () => void server.close() };
}

/** Find an address at which nobody listens. */
export async function nobody(): Promise<string> {
  const { address, stop } = await silent();
  stop();
  return address;
}

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function passedOn(headers: Headers): Record<string, string> {
  const language = headers.get("accept-language");
  return language ? { "accept-language": language } : {};
}
