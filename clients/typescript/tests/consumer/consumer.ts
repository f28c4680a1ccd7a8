/** A game server that has installed this package: what it writes has to pass the strictest checks. */

import { actsOf, Hand, parseGame, RefereeError, Verdict, type Violation } from "charleston-referee";
import { RefereeClient, type Tls } from "charleston-referee/node";
import { RefereeClient as WebClient } from "charleston-referee/web";

const [address = "", text = ""] = process.argv.slice(2);
const tls: Tls | undefined = undefined;
const referee = new RefereeClient([address], { timeoutMs: 20_000, tls });
const hand = new Hand(referee, undefined, { language: "fr" });
for (const act of actsOf(parseGame(text))) {
  const { ruling, language } = await hand.act(act);
  console.log(ruling && Verdict[ruling.verdict], language);
}
try {
  await referee.judge({ act: { kind: { case: "offer", value: {} } } });
} catch (error) {
  if (!(error instanceof RefereeError)) throw error;
  const [violation]: readonly Violation[] = error.violations;
  console.log(error.code, violation?.field);
}
referee.close();
new WebClient("https://referee.example.org", { language: "nl" }).close();

declare const process: { argv: string[] };
declare const console: { log(...said: unknown[]): void };
