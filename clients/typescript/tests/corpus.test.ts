/** The corpus through this client: a real server, asked act by act as a game server asks it, and as one Replay. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  create,
  type JudgeResponse,
  JudgeResponseSchema,
  type Referee,
  RefereeError,
  Verdict,
} from "charleston-referee";
import { RefereeClient } from "charleston-referee/node";
import { RefereeClient as WebClient } from "charleston-referee/web";
import { asked, type Case, cases, mismatches } from "./support/cases.js";
import { type Server, serving } from "./support/server.js";
import { type Stranger, translating } from "./support/stranger.js";

const GOES_ON = [Verdict.LEGAL, Verdict.UNDECIDED, Verdict.JOKER_RETURN];
const CASES = cases();

/** Ask a case act by act, each with the table that came back; return every answer, or the field that is refused. */
async function ask(referee: Referee, one: Case): Promise<JudgeResponse[] | string> {
  const { table, acts } = asked(one);
  const answers: JudgeResponse[] = [];
  try {
    for (const act of acts) {
      const at = answers.at(-1)?.standing?.table ?? table;
      answers.push(await referee.judge({ ...(act && { act }), ...(at && { table: at }) }));
    }
    return answers;
  } catch (error) {
    return refusedAt(error);
  }
}

function refusedAt(error: unknown): string {
  if (!(error instanceof RefereeError) || error.code !== "INVALID_ARGUMENT") throw error;
  return /(\w+)(\[\d+\])?$/.exec(error.violations[0]?.field ?? "")?.[1] ?? "";
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

const DOORS = {
  "gRPC from Node": () => new RefereeClient(server.address, { timeoutMs: 20_000 }),
  "gRPC-Web": () => new WebClient(proxy.address, { timeoutMs: 20_000 }),
};

for (const [door, made] of Object.entries(DOORS)) {
  describe(`over ${door} a referee answers as the case wants`, () => {
    let referee: Referee & { close(): void };
    before(() => (referee = made()));
    after(() => referee.close());

    for (const one of CASES) {
      test(one.name, async () => {
        const answers = await ask(referee, one);
        if (typeof answers === "string" || one.want.error !== undefined) {
          assert.equal(answers, one.want.error);
          return;
        }
        const last = answers.at(-1);
        assert.ok(last);

        assert.deepEqual(mismatches(one, last), []);
        assert.ok(answers.every(({ ruling }) => ruling?.message && ruling.broken.every(({ message }) => message)));
        if (one.then_legal ?? true) {
          assert.ok(answers.slice(0, -1).every(({ ruling }) => ruling && GOES_ON.includes(ruling.verdict)));
        }
      });
    }
  });
}

test("there are many cases, and an empty answer is good enough for none of them", () => {
  const met = CASES.filter(({ want }) => want.error === undefined).filter(
    (one) => !mismatches(one, create(JudgeResponseSchema)).length,
  );

  assert.ok(CASES.length > 300);
  assert.deepEqual(met, []);
});

test("one Replay of the acts of a case has the rulings that Judge gives one by one", async () => {
  const referee = DOORS["gRPC from Node"]();
  for (const one of CASES.filter(({ want, acts }) => acts && want.error === undefined)) {
    const { table, acts: all } = asked(one);
    const acts = all.flatMap((act) => act ?? []);
    const answers = await ask(referee, one);
    const replayed = await referee.replay({ acts, skipIllegal: true, ...(table && { table }) });

    assert.notEqual(typeof answers, "string");
    assert.deepEqual(
      replayed.rulings,
      (answers as JudgeResponse[]).map(({ ruling }) => ruling),
      one.name,
    );
  }
  referee.close();
});
