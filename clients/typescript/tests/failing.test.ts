/** Referees that die, come back, are not there or never answer: the act is held and asked again, and nothing is lost. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  actsOf,
  type Act,
  equals,
  Hand,
  type JudgeResponse,
  parseGame,
  type Referee,
  RefereeError,
  TableSchema,
} from "charleston-referee";
import { RefereeClient } from "charleston-referee/node";
import { type Asked, REST_MS, Servers, type Way } from "#dist/addresses.js";
import * as retrying from "#dist/retrying.js";
import { read } from "./support/repository.js";
import { type Server, serving } from "./support/server.js";
import { nobody } from "./support/stranger.js";

const ACTS = actsOf(parseGame(read("clients/examples/hand.charleston")));
const SOON = 30_000;

async function ask(referee: Referee, times: number): Promise<string[]> {
  const told: string[] = [];
  for (let time = 0; time < times; time++) told.push((await referee.whatNext({})).language);
  return told;
}

/** Hold an act until a referee can be reached, and have it judged. */
async function again(hand: Hand, act: Act): Promise<JudgeResponse> {
  const patience = performance.now() + SOON;
  for (;;) {
    try {
      return await hand.act(act);
    } catch (error) {
      const held = error instanceof RefereeError && error.code === "UNAVAILABLE";
      if (!held || performance.now() > patience) throw error;
    }
  }
}

describe("a referee", () => {
  let server: Server;
  before(async () => (server = await serving()));
  after(() => server.stop());

  test("that is killed and started again in the middle of a hand costs nothing", async () => {
    const first = await serving();
    const client = new RefereeClient(first.address, { timeoutMs: SOON });
    const hand = new Hand(client);
    for (const act of ACTS.slice(0, 5)) await hand.act(act);
    first.signal("SIGKILL");
    await first.ended();
    await assert.rejects(hand.act(ACTS[5] as Act), { code: "UNAVAILABLE" });
    const kept = hand.table;
    const second = await serving("--listen", first.address);
    for (const act of ACTS.slice(5)) await again(hand, act);
    const other = new RefereeClient(server.address, { timeoutMs: SOON });
    const replayed = await other.replay({ acts: ACTS, skipIllegal: true });
    const half = await other.replay({ acts: ACTS.slice(0, 5) });
    client.close();
    other.close();
    await second.stop();

    assert.ok(half.standing?.table && equals(TableSchema, half.standing.table, kept));
    assert.deepEqual(hand.rulings, replayed.rulings);
  });

  test("answers every question, though nobody is at the other of two addresses", async () => {
    const client = new RefereeClient(`${await nobody()}, ${server.address}`, { timeoutMs: SOON });

    assert.deepEqual(new Set(await ask(client, 20)), new Set(["en"]));
    client.close();
  });

  test("that stands still holds up a question for a part of its deadline only", async () => {
    const still = await serving();
    const client = new RefereeClient([still.address, server.address], { timeoutMs: 7000 });
    await ask(client, 10);
    still.signal("SIGSTOP");
    const begun = performance.now();
    const told = await ask(client, 8);
    const took = performance.now() - begun;
    client.close();
    await still.stop();

    assert.equal(told.length, 8);
    assert.ok(took < 8 * 7000, `${took}`);
  });

  test("that is told to stop is asked no more, and nobody who asks notices", async () => {
    const leaving = await serving("--drain-pause", "1");
    const client = new RefereeClient([leaving.address, server.address], { timeoutMs: SOON });
    let told = await ask(client, 10);
    leaving.signal("SIGTERM");
    told = [...told, ...(await ask(client, 300))];
    await leaving.ended();
    told = [...told, ...(await ask(client, 10))];
    client.close();

    assert.equal(told.length, 320);
  });

  test("that comes back is asked again", async () => {
    const away = await serving();
    const client = new RefereeClient([away.address, await nobody()], { timeoutMs: SOON });
    await ask(client, 2);
    away.signal("SIGKILL");
    await away.ended();
    await assert.rejects(ask(client, 1), { code: "UNAVAILABLE" });
    const back = await serving("--listen", away.address);

    assert.deepEqual(await ask(client, 2), ["en", "en"]);
    client.close();
    await back.stop();
  });

  test("is asked once about a question that it refuses: no time brings it another answer", async () => {
    const client = new RefereeClient(server.address, { timeoutMs: 60_000 });
    const begun = performance.now();
    await assert.rejects(client.getRulebook({ rulebook: 99 }), { code: "FAILED_PRECONDITION" });
    client.close();

    assert.ok(performance.now() - begun < 20_000);
  });

  test("that goes away ends a stream UNAVAILABLE", async () => {
    const leaving = await serving();
    const client = new RefereeClient(leaving.address);
    const told: string[] = [];
    async function* asking() {
      yield { questionId: "1" };
      await leaving.ended();
      yield { questionId: "2" };
    }
    const stream = (async () => {
      for await (const { questionId } of client.judgeStream(asking())) {
        told.push(questionId);
        leaving.signal("SIGKILL");
      }
    })();

    await assert.rejects(stream, { code: "UNAVAILABLE" });
    assert.deepEqual(told, ["1"]);
    client.close();
  });
});

test("attempts and pauses are those of the service config that the Python client ships", () => {
  const config = JSON.parse(read("clients/python/charleston/service_config.json")) as {
    methodConfig: [{ retryPolicy: Record<string, unknown> }];
    retryThrottling: unknown;
  };

  assert.deepEqual(config.methodConfig[0].retryPolicy, {
    maxAttempts: retrying.MOST_ATTEMPTS,
    initialBackoff: `${retrying.INITIAL_BACKOFF_MS / 1000}s`,
    maxBackoff: `${retrying.MOST_BACKOFF_MS / 1000}s`,
    backoffMultiplier: retrying.BACKOFF_MULTIPLIER,
    retryableStatusCodes: ["UNAVAILABLE"],
  });
  assert.deepEqual(config.retryThrottling, { maxTokens: retrying.MOST_TOKENS, tokenRatio: retrying.TOKEN_RATIO });
});

test("a deadline is split into attempts that together take it, each twice as long as the one before", () => {
  let left = 7;
  const attempts = retrying.SHARES.map((share) => {
    const attempt = left * share;
    left -= attempt;
    return Math.round(attempt);
  });

  assert.deepEqual([attempts, left], [[1, 2, 4], 0]);
});

test("pauses grow up to the longest, by chance", () => {
  assert.deepEqual(
    [1, 2, 3, 9].map((attempts) => retrying.backoff(attempts, () => 1)),
    [50, 100, 200, 1000],
  );
  assert.equal(
    retrying.backoff(3, () => 0.5),
    100,
  );
});

test("a client that mostly fails stops to ask again, until it is answered", () => {
  const throttle = new retrying.Throttle();
  const allowed = Array.from({ length: 60 }, () => throttle.failed());
  for (let answers = 0; answers < 30; answers++) throttle.answered();

  assert.equal(allowed.filter(Boolean).length, 49);
  assert.ok(throttle.failed());
});

describe("servers", () => {
  const ways = (number: number) => Array.from({ length: number }, () => ({ close: () => {} }) as Way);
  const turns = (servers: Servers, times: number) => Array.from({ length: times }, () => servers.choose() as Asked);

  test("are asked in turn, from any of them on", () => {
    const servers = new Servers(ways(3), () => 0.5);
    const [one, two, three, ...more] = turns(servers, 6);

    assert.equal(new Set([one, two, three]).size, 3);
    assert.deepEqual(more, [one, two, three]);
  });

  test("that fail are passed over for a while, and one call finds out whether they are back", (context) => {
    context.mock.method(performance, "now", () => now);
    let now = 1000;
    const servers = new Servers(ways(2), () => 0);
    const [bad, good] = turns(servers, 2) as [Asked, Asked];
    servers.failed(bad);
    const meanwhile = turns(servers, 3);
    now += REST_MS;
    const back = turns(servers, 4).filter((server) => server === bad);
    servers.answered(bad);
    const then = turns(servers, 4).filter((server) => server === bad);

    assert.deepEqual(meanwhile, [good, good, good]);
    assert.deepEqual([back.length, then.length], [1, 2]);
  });

  test("that all fail are asked all the same, the one that has rested longest first", (context) => {
    context.mock.method(performance, "now", () => now++);
    let now = 1000;
    const servers = new Servers(ways(2), () => 0);
    const [one, two] = turns(servers, 2) as [Asked, Asked];
    servers.failed(two);
    servers.failed(one);

    assert.equal(servers.choose(), undefined);
    assert.equal(servers.soonest(), two);
  });
});
