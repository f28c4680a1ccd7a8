/** What a page does with the referee, posted to who served it: the address to ask comes in the part after `#`. */

import { fromJson, JudgeRequestSchema, Verdict } from "../../clients/typescript/dist/index.js";
import { RefereeClient } from "../../clients/typescript/dist/web.js";
import request from "../../clients/examples/request.json" with { type: "json" };

async function told() {
    const referee = new RefereeClient(`http://${location.hash.slice(1)}`, { timeoutMs: 60_000 });
    const question = fromJson(JudgeRequestSchema, request);
    try {
        const answer = await referee.judge(question);
        let streamed = 0;
        for await (const each of referee.judgeStream([question, question])) streamed += each.outcome.case === "judged";
        const verdict = `VERDICT_${Verdict[answer.ruling.verdict]}`;
        const fault = await referee.judge({}).catch((error) => `${error.code} at ${error.violations[0]?.field}`);
        return `${verdict}, ${streamed} on a stream, ${fault}`;
    } catch (error) {
        return `${error.code}: ${error.message}`;
    }
}

await fetch("told", { method: "POST", body: await told() });
