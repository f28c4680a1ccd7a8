/** What goes with a call: TLS, tokens, traces and languages, and what never does. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { RefereeClient } from "charleston-referee/node";
import { RefereeClient as WebClient } from "charleston-referee/web";
import { printed } from "./support/repository.js";
import { certificate, remembering, type Stranger } from "./support/stranger.js";

const TRACE = {
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  tracestate: "game=1",
  baggage: "player=anna",
};
const CARRIED = ["accept-language", "authorization", "traceparent", "tracestate", "baggage"];
const NAME = "referee.test";

describe("a call", () => {
  let server: Stranger;
  before(async () => (server = await remembering()));
  after(() => server.stop());

  async function carried(options: ConstructorParameters<typeof RefereeClient>[1], trace?: Record<string, string>) {
    const client = new RefereeClient(server.address, { timeoutMs: 60_000, ...options });
    const { language } = await client.whatNext({}, { trace });
    client.close();
    return [language, ...CARRIED.map((name) => server.calls.at(-1)?.get(name) ?? null)];
  }

  test("carries the language, the token and the trace context, and nothing else of the carrier", async () => {
    const told = await carried({ language: "fr", token: "s3cret", trace: () => TRACE });

    assert.deepEqual(told, ["fr", "fr", "Bearer s3cret", TRACE.traceparent, TRACE.tracestate, null]);
  });

  test("carries nothing of whoever says nothing", async () => {
    assert.deepEqual(await carried({}), ["en", null, null, null, null, null]);
  });

  test("may name its own trace, before the client's", async () => {
    const own = TRACE.traceparent.replace("4bf9", "0000");

    assert.deepEqual((await carried({ trace: () => TRACE }, { traceparent: own })).slice(3), [own, null, null]);
    assert.deepEqual((await carried({ trace: () => TRACE }, {})).slice(3), [null, null, null]);
  });

  test("goes without a trace that is none", async () => {
    for (const traceparent of ["", "none", TRACE.traceparent.toUpperCase(), `${TRACE.traceparent}\r\nx: y`, "é"]) {
      const told = await carried({ trace: () => ({ ...TRACE, traceparent }) });

      assert.deepEqual(told.slice(3), [null, null, null]);
    }
  });

  test("asks for its token each time, and waits for it", async () => {
    const tokens = ["one", "two"];
    const client = new RefereeClient(server.address, { timeoutMs: 60_000, token: async () => tokens.shift() ?? "" });
    await client.whatNext({});
    await client.whatNext({});
    await assert.rejects(client.whatNext({}), /visible ASCII/);
    client.close();

    assert.deepEqual(
      server.calls.slice(-2).map((headers) => headers.get("authorization")),
      ["Bearer one", "Bearer two"],
    );
  });
});

test("a token for another machine is refused without TLS, and not named", () => {
  for (const address of ["192.0.2.1:1", "127.0.0.1:1,192.0.2.1:1", "127.0.0.1.example:1", "referee.invalid:1"]) {
    assert.throws(() => new RefereeClient(address, { token: "s3cret" }), /^TypeError: (?!.*s3cret).*without TLS/);
  }
  assert.throws(() => new WebClient("http://referee.invalid", { token: "s3cret" }), /without TLS/);
  for (const address of ["127.0.0.1:1", "127.0.0.2:1,localhost:1", "[::1]:1"]) {
    new RefereeClient(address, { token: "s3cret" });
  }
  new RefereeClient("192.0.2.1:1", { token: "s3cret", tls: {} });
  new WebClient("https://referee.invalid", { token: "s3cret" });
});

test("what cannot be a token is refused without being named", () => {
  for (const token of ["two words", "line\nbreak", "é"]) {
    assert.throws(() => new RefereeClient("127.0.0.1:1", { token }), {
      message: "a token is visible ASCII without spaces",
    });
  }
});

test("an address is a host and a port, and in a browser a URL", () => {
  for (const address of [
    "",
    "127.0.0.1",
    "127.0.0.1:1,",
    ":1",
    "host:99999",
    "http://host:1",
    "host:1/path",
    "a@b:1",
  ]) {
    assert.throws(() => new RefereeClient(address), { name: "TypeError", message: /expected/ }, address);
    assert.throws(() => new RefereeClient([address]), TypeError, address);
  }
  for (const address of ["", "127.0.0.1:1", "//host", "ftp://host"]) {
    assert.throws(() => new WebClient(address), { name: "TypeError", message: /expected/ }, address);
  }
  assert.throws(() => new RefereeClient([]), TypeError);
});

describe("TLS", () => {
  const folder = mkdtempSync(join(process.cwd(), "build/certificates-"));
  const made = (name: string) => certificate(join(folder, name));
  before(async () => {
    for (const name of ["ours", "theirs"]) {
      mkdirSync(join(folder, name));
      await printed("python", "-m", "trustme", "--quiet", "--dir", join(folder, name), "--identities", NAME);
    }
  });

  test("trusts only the roots that it is given, and the name", async () => {
    const { roots } = made("ours");
    const server = await remembering(made("ours"));
    const ask = async (options: ConstructorParameters<typeof RefereeClient>[1]) => {
      const client = new RefereeClient(server.address, { timeoutMs: 60_000, ...options });
      return client.whatNext({}).finally(() => client.close());
    };
    await ask({ tls: { roots }, authority: NAME, token: "s3cret" });
    await ask({ tls: { roots: String(roots) }, authority: NAME });
    const refused = [
      { tls: { roots: made("theirs").roots }, authority: NAME },
      { tls: { roots }, authority: "other.test" },
      { tls: { roots } },
      { tls: {}, authority: NAME },
      {},
    ];
    for (const options of refused) await assert.rejects(ask(options), { code: "UNAVAILABLE" });
    server.stop();

    assert.deepEqual(
      server.calls.map((headers) => headers.get("authorization")),
      ["Bearer s3cret", null],
    );
  });

  test("shows a certificate to a server that asks for one, and is refused without", async () => {
    const { roots, certificate, key } = made("ours");
    const server = await remembering(made("ours"), true);
    const known = new RefereeClient(server.address, {
      tls: { roots, certificate, key },
      authority: NAME,
      timeoutMs: 60_000,
    });
    const unknown = new RefereeClient(server.address, { tls: { roots }, authority: NAME, timeoutMs: 60_000 });
    await known.whatNext({});
    await assert.rejects(unknown.whatNext({}), { code: "UNAVAILABLE" });
    known.close();
    unknown.close();
    server.stop();

    assert.equal(server.calls.length, 1);
  });

  test("takes a certificate and its key, not one of them", () => {
    for (const half of [{ certificate: "PEM" }, { key: "PEM" }]) {
      assert.throws(() => new RefereeClient("127.0.0.1:1", { tls: half }), /and its key/);
    }
  });
});
