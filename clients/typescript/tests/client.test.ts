/** The client: its answers are the referee's, its errors name the fields at fault, and no call is without a deadline. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  equals,
  fromJson,
  JudgeRequestSchema,
  type MessageInitShape,
  type QuestionSchema,
  type Referee,
  RefereeError,
  Seat,
  StandingSchema,
  TableSchema,
  Verdict,
} from "charleston-referee";
import { RefereeClient } from "charleston-referee/node";
import { RefereeClient as WebClient } from "charleston-referee/web";
import { read } from "./support/repository.js";
import { type Server, serving } from "./support/server.js";
import { nobody, silent, type Stranger, translating } from "./support/stranger.js";

const REQUEST = fromJson(JudgeRequestSchema, JSON.parse(read("clients/examples/request.json")));
const STOP = { seat: Seat.EAST, kind: { case: "stop", value: {} } } as const;
const OFFER = { kind: { case: "offer", value: {} } } as const;

/** The table and the act of that question, for one with other options. */
function asked() {
  const { table, act } = REQUEST;
  return { ...(table && { table }), ...(act && { act }) };
}

let server: Server;
let proxy: Stranger;

before(async () => {
  server = await serving();
  proxy = await translating(server.address);
});
after(async () => {
  proxy.stop();
  await server.stop();
});

const FACES = {
  "a client in Node": (options = {}) => new RefereeClient(server.address, { timeoutMs: 60_000, ...options }),
  "a client in a browser": (options = {}) => new WebClient(proxy.address, { timeoutMs: 60_000, ...options }),
};

for (const [face, made] of Object.entries(FACES)) {
  describe(face, () => {
    let referee: Referee & { close(): void };
    before(() => (referee = made()));
    after(() => referee.close());

    test("answers each method with its message", async () => {
      const table = REQUEST.table ?? {};
      const judged = await referee.judge(REQUEST);
      const stands = await referee.whatNext({ table });
      const replayed = await referee.replay({ table, acts: REQUEST.act ? [REQUEST.act] : [] });
      const followed = await referee.judgeTransition({ before: table, after: table });
      const rulebook = await referee.getRulebook({});

      assert.equal(judged.ruling?.verdict, Verdict.JOKER_RETURN);
      assert.ok(REQUEST.table && stands.standing?.table && equals(TableSchema, REQUEST.table, stands.standing.table));
      assert.deepEqual(replayed.rulings, [judged.ruling]);
      assert.ok(judged.standing && replayed.standing && equals(StandingSchema, judged.standing, replayed.standing));
      assert.equal(followed.verdict, Verdict.LEGAL);
      assert.ok(rulebook.articles.some(({ id }) => id === "joker.passed"));
    });

    test("answers in views and with a trace, or with the ruling only, as the options say", async () => {
      const whole = await referee.judge({ ...asked(), options: { views: true, trace: true } });
      const short = await referee.judge({ ...asked(), options: { rulingOnly: true } });

      assert.equal(whole.views.length, 5);
      assert.ok(whole.ruling?.trace.length);
      assert.equal(short.standing, undefined);
      assert.deepEqual(short.ruling, (await referee.judge(REQUEST)).ruling);
    });

    test("rejects a question that describes no act, and names every field at fault", async () => {
      const error = await referee.judge({ act: OFFER }).catch((no: unknown) => no);

      assert.ok(error instanceof RefereeError);
      assert.equal(error.code, "INVALID_ARGUMENT");
      assert.match(error.message, /^INVALID_ARGUMENT: act\.seat: /);
      assert.deepEqual(
        error.violations.map(({ field, reason }) => [field, reason]),
        [
          ["act.seat", "MISSING"],
          ["act.offer.tiles", "MISSING"],
        ],
      );
      assert.ok(error.violations.every(({ description }) => description));
    });

    test("has no violations where the referee names none", async () => {
      const asked = referee.getRulebook({ rulebook: 99 });

      await assert.rejects(asked, {
        name: "RefereeError",
        code: "FAILED_PRECONDITION",
        reason: /99/,
        violations: [],
      });
    });

    test("answers many questions at once, and each that is wrong with an error of its own", async () => {
      const questions = [{ questionId: "wrong" }, { questionId: "right", act: STOP }];
      const { answers } = await referee.judgeBatch({ questions });

      assert.deepEqual(
        answers.map(({ questionId, outcome }) => [questionId, outcome.case]),
        [
          ["wrong", "error"],
          ["right", "judged"],
        ],
      );
    });

    test("answers a stream in order, asked with what is there or still to come", async () => {
      const questions = Array.from({ length: 20 }, (_, number) => ({
        questionId: String(number),
        ...(number % 3 ? { act: STOP } : {}),
      }));
      async function* coming() {
        yield* questions;
      }
      for (const asked of [questions, coming()]) {
        const told: unknown[] = [];
        for await (const answer of referee.judgeStream(asked, { options: { language: "fr" } })) {
          told.push([answer.questionId, answer.outcome.case]);
          if (answer.outcome.case === "judged") assert.equal(answer.outcome.value.language, "fr");
        }

        assert.deepEqual(
          told,
          questions.map(({ questionId }, number) => [questionId, number % 3 ? "judged" : "error"]),
        );
      }
    });

    test("ends a stream whose questions fail, with what they failed with", async () => {
      async function* failing(): AsyncGenerator<MessageInitShape<typeof QuestionSchema>> {
        yield { act: STOP };
        throw new Error("the game is over");
      }
      const told = (async () => {
        for await (const _ of referee.judgeStream(failing()));
      })();

      await assert.rejects(told, { name: "Error", message: "the game is over" });
    });

    test("takes no more questions from a stream that nobody listens to", async () => {
      let given = 0;
      function* endless() {
        for (;;) yield { questionId: String(++given), act: STOP };
      }
      for await (const answer of referee.judgeStream(endless())) if (answer.questionId === "3") break;
      const before = given;
      await referee.whatNext({});

      assert.ok(given >= 3);
      assert.equal(given, before);
    });

    test("speaks the language of the client, unless the question names one", async () => {
      const french = made({ language: "xx, fr;q=0.5" });
      const told = [
        await french.whatNext({}),
        await french.whatNext({ options: { language: "nl" } }),
        await referee.whatNext({}),
      ];
      french.close();

      assert.deepEqual(
        told.map(({ language }) => language),
        ["fr", "nl", "en"],
      );
    });

    test("is asked by many at the same time, each of whom gets its own answer", async () => {
      const tags = Array.from({ length: 30 }, (_, number) => ["en", "fr", "nl"][number % 3] as string);
      const answers = await Promise.all(tags.map((language) => referee.whatNext({ options: { language } })));

      assert.deepEqual(
        answers.map(({ language }) => language),
        tags,
      );
    });

    test("throws what a question of the wrong types is, and asks nobody", async () => {
      const wrong = { act: { ...STOP, seat: "EAST" } } as unknown as Parameters<Referee["judge"]>[0];
      const error = await referee.judge(wrong).catch((no: unknown) => no);

      assert.ok(error instanceof Error && !(error instanceof RefereeError));
      assert.match(error.message, /seat/);
    });

    test("can be given up by a signal, before and while it waits", async () => {
      const given = AbortSignal.abort();

      await assert.rejects(referee.whatNext({}, { signal: given }), { name: "RefereeError", code: "CANCELLED" });
    });

    test("asks nothing once it is closed", async () => {
      const closed = made();
      await closed.whatNext({});
      closed.close();

      await assert.rejects(closed.whatNext({}), { code: "CANCELLED", reason: "The client is closed." });
      await assert.rejects(
        closed
          .judgeStream([{ act: STOP }])
          [Symbol.asyncIterator]()
          .next(),
        { code: "CANCELLED" },
      );
    });
  });
}

describe("a referee that never answers", () => {
  let address: string;
  let stop: () => void;
  before(async () => ({ address, stop } = await silent()));
  after(() => stop());

  for (const [name, face] of Object.entries({
    Node: () => new RefereeClient(address, { timeoutMs: 300 }),
    "a browser": () => new WebClient(`http://${address}`, { timeoutMs: 300 }),
  })) {
    test(`is DEADLINE_EXCEEDED in ${name}, within the time that the client gives`, async () => {
      const referee = face();
      const begun = performance.now();
      await assert.rejects(referee.judge({ act: STOP }), { code: "DEADLINE_EXCEEDED" });
      const took = performance.now() - begun;
      referee.close();

      assert.ok(200 < took && took < 10_000, `${took}`);
    });

    test(`is given up in ${name} when a signal says so`, async () => {
      const referee = face();
      const asked = referee.whatNext({}, { timeoutMs: 60_000, signal: AbortSignal.timeout(50) });
      await assert.rejects(asked, { code: "CANCELLED", reason: "The call was given up." });
      referee.close();
    });
  }
});

test("nobody there is UNAVAILABLE, and does not take the whole deadline", async () => {
  const address = await nobody();
  for (const referee of [new RefereeClient(address), new WebClient(`http://${address}`)]) {
    const begun = performance.now();
    const asked = referee.judge({ act: STOP }, { timeoutMs: 60_000 });

    await assert.rejects(asked, { name: "RefereeError", code: "UNAVAILABLE" });
    assert.ok(performance.now() - begun < 20_000);
    referee.close();
  }
});

test("a deadline cannot be switched off", async () => {
  const referee = new RefereeClient("127.0.0.1:1");
  for (const timeoutMs of [0, -1, Infinity, NaN]) {
    await assert.rejects(referee.whatNext({}, { timeoutMs }), { name: "TypeError", message: /deadline/ });
    assert.throws(() => new RefereeClient("127.0.0.1:1", { timeoutMs }), /deadline/);
  }
});
