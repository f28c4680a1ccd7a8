/** A hand walked act by act: the table is kept, moves on when the ruling lets it, and never on an error. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Act, actsOf, equals, Hand, parseAct, parseGame, Stage, TableSchema, Verdict } from "charleston-referee";
import { RefereeClient } from "charleston-referee/node";
import { read } from "./support/repository.js";
import { type Server, serving } from "./support/server.js";
import { nobody } from "./support/stranger.js";

const ACTS = actsOf(parseGame(read("clients/examples/hand.charleston")));
const DEAL = ACTS[0] as Act;

let server: Server;
let referee: RefereeClient;
before(async () => {
  server = await serving();
  referee = new RefereeClient(server.address, { timeoutMs: 20_000 });
});
after(async () => {
  referee.close();
  await server.stop();
});

test("a hand is walked from the deal to the discard, with the rulings that one Replay gives", async () => {
  const hand = new Hand(referee);
  for (const act of ACTS) await hand.act(act);
  const replayed = await referee.replay({ acts: ACTS, skipIllegal: true });

  assert.equal(hand.table.stage, Stage.PLAY);
  assert.deepEqual(hand.rulings, replayed.rulings);
  assert.deepEqual(hand.standing, replayed.standing);
});

test("an act is made for the stage of the table, unless it names another", async () => {
  const hand = new Hand(referee);
  await hand.act({ kind: DEAL.kind });
  const stale = await hand.act(parseAct("EAST passes 6c S W at FIRST_LEFT"));
  const now = await hand.act(parseAct("EAST passes 6c S W"));

  assert.equal(stale.ruling?.broken[0]?.rule, "order.stage");
  assert.equal(now.ruling?.verdict, Verdict.LEGAL);
});

test("an illegal act leaves the table as it was, and its ruling is kept", async () => {
  const hand = new Hand(referee);
  await hand.act(DEAL);
  const before = hand.table;
  const answer = await hand.act(parseAct("EAST passes 6c S"));

  assert.equal(answer.ruling?.verdict, Verdict.ILLEGAL);
  assert.ok(equals(TableSchema, hand.table, before));
  assert.equal(hand.rulings.length, 2);
});

test("an error moves nothing, and the same act can be put again", async () => {
  const hand = new Hand(new RefereeClient(await nobody(), { timeoutMs: 60_000 }));
  await assert.rejects(hand.act(DEAL), { code: "UNAVAILABLE" });

  assert.equal(hand.table.stage, Stage.UNDEALT);
  assert.deepEqual([hand.rulings, hand.standing], [[], undefined]);
});

test("acts put at once are judged one after another, each on the table that the other left", async () => {
  const hand = new Hand(referee);
  await hand.act(DEAL);
  const answers = await Promise.all(ACTS.slice(1, 5).map((act) => hand.act(act)));

  assert.ok(answers.every(({ ruling }) => ruling?.verdict === Verdict.LEGAL));
  assert.equal(hand.table.east?.incoming.length, 3);
});

test("what comes next can be asked first, of a hand from a stored table", async () => {
  const dealt = new Hand(referee);
  await dealt.act(DEAL);
  const stored = new Hand(referee, dealt.table, { language: "fr", rulingOnly: true });
  const before = stored.standing;
  const answer = await stored.whatNext();

  assert.equal(before, undefined);
  assert.equal(answer.language, "fr");
  assert.deepEqual(stored.standing?.next, dealt.standing?.next);
  assert.deepEqual(stored.rulings, []);
});

test("the table that is given out is a copy, and so is the one taken in", async () => {
  const dealt = new Hand(referee);
  await dealt.act(DEAL);
  const table = dealt.table;
  const hand = new Hand(referee, table);
  table.east?.rack.pop();
  hand.table.east?.rack.pop();

  assert.equal(hand.table.east?.rack.length, 14);
  assert.equal(dealt.table.east?.rack.length, 14);
});
