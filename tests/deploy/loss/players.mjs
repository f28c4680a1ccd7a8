/**
 * Players who have their hands judged by the TypeScript client: `node players.mjs ADDRESSES RATE PLAYERS`.
 *
 * A line on standard input names a file of hands to deal from now on; its end is the end. Each question is a line on
 * standard output: when it was asked, how long it took, why it was lost, whether its answer was wrong.
 */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { equals, fromBinary, JudgeRequestSchema, JudgeResponseSchema } from "../../../clients/typescript/dist/index.js";
import { RefereeClient } from "../../../clients/typescript/dist/node.js";

const [addresses, rate, players] = process.argv.slice(2);
const referee = new RefereeClient(addresses);
const interval = (Number(players) * 1000) / Number(rate);
let hands = [];
let stopping = false;

function deal(path) {
    const message = (schema, text) => fromBinary(schema, Buffer.from(text, "base64"));
    hands = JSON.parse(readFileSync(path, "utf-8")).map((hand) =>
        hand.map(([question, answer]) => [message(JudgeRequestSchema, question), message(JudgeResponseSchema, answer)]),
    );
}

async function put(question, right) {
    const [at, began] = [Date.now() / 1000, performance.now()];
    let [lost, wrong] = ["", false];
    try {
        wrong = !equals(JudgeResponseSchema, await referee.judge(question), right);
    } catch (error) {
        lost = error.code ?? String(error);
    }
    process.stdout.write(`${JSON.stringify([at, (performance.now() - began) / 1000, lost, wrong])}\n`);
    return !lost && !wrong;
}

async function play(number) {
    let due = performance.now() + (number * interval) / Number(players);
    for (let hand = number; !stopping; hand += Number(players)) {
        for (const [question, right] of hands[hand % hands.length]) {
            await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
            if (stopping) return;
            due = Math.max(due + interval, performance.now());
            if (!(await put(question, right))) break; // the hand cannot go on from here
        }
    }
}

let playing = [];
for await (const path of createInterface({ input: process.stdin })) {
    deal(path);
    if (!playing.length) playing = Array.from({ length: Number(players) }, (_, number) => play(number));
}
stopping = true;
await Promise.all(playing);
referee.close();
