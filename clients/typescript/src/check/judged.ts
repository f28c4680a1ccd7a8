/** One item judged: a game act by act and claim by claim, or a transition; what is not lawful is a fault. */

import { clone, create, type JsonObject, toJson } from "@bufbuild/protobuf";
import { RefereeError } from "../errors.js";
import {
  type Difference as Differing,
  DifferenceKind,
  type Ruling,
  RulingSchema,
  Verdict,
} from "../gen/charleston/referee/v1/ruling_pb.js";
import {
  AnswerOptionsSchema,
  type JudgeTransitionRequest,
  JudgeTransitionRequestSchema,
  type JudgeTransitionResponse,
} from "../gen/charleston/referee/v1/service_pb.js";
import {
  type HouseRules,
  PlaceSchema,
  Seat,
  Stage,
  type Table,
  TableSchema,
} from "../gen/charleston/referee/v1/table_pb.js";
import { tilesText } from "../notation/index.js";
import type { Referee } from "../referee.js";
import { atHome, type Game, jsonGame, said, writtenGame } from "./games.js";
import type { Item } from "./items.js";
import { type Compared, type Judged, placeOf, replay } from "./replaying.js";
import type { Checked, Fault, Finding, WrongLine } from "./results.js";
import { dataOf, messageOf, nameOf, refusedQuestion, WrongQuestion } from "./source.js";

/** How items are judged: by which house rules where they name none, and whether illegal acts are left out. */
export interface How {
  readonly house: HouseRules | undefined;
  readonly skipIllegal: boolean;
}

/** Judge an item with a referee. */
export async function judged(referee: Referee, how: How, item: Item): Promise<Checked> {
  const name = nameOf(item.file);
  let kind: Checked["kind"] = "game";
  try {
    if (item.wrong) throw new WrongQuestion(`${name}:${item.line}: ${item.wrong}`);
    if (item.notation) return await gameChecked(referee, how, item, writtenGame(name, item.text));
    const data: JsonObject = dataOf(name, item.text);
    if ("before" in data || "after" in data) {
      kind = "transition";
      return await transition(referee, item, messageOf(name, data, JudgeTransitionRequestSchema));
    }
    const game = jsonGame(name, data);
    (game.asked.options ??= create(AnswerOptionsSchema)).rulingOnly = true;
    return await gameChecked(referee, how, item, game);
  } catch (error) {
    if (!(error instanceof WrongQuestion)) throw error;
    return {
      file: item.file,
      line: item.line,
      kind,
      acts: 0,
      faults: [],
      errors: error.sentences.map(placed(name, item)),
    };
  }
}

/** Tell in which line of the file a thing is wrong: a sentence counts the lines of the item. */
function placed(name: string, item: Item): (sentence: string) => WrongLine {
  return (sentence) => {
    const rest = sentence.startsWith(name) ? sentence.slice(name.length) : "";
    const [, line, column, message] = /^(?::(\d+))?(?::(\d+))?: ([^]*)$/.exec(rest) ?? [];
    const at = line && !item.wrong ? Number(line) : 1;
    return {
      line: item.line + at - 1,
      message: column ? `column ${column}: ${message ?? ""}` : (message ?? sentence),
    };
  };
}

async function gameChecked(referee: Referee, how: How, item: Item, game: Game): Promise<Checked> {
  if (!game.entries.some((entry) => "act" in entry)) throw new WrongQuestion(`${game.name}: there is no act in it`);
  const table = atHome(game.asked.table, how.house);
  if (table) game.asked.table = table;
  const steps = await replay(referee, game, how.skipIllegal);
  const unlawfulClaims = steps.flatMap((step) => ("claim" in step && !step.lawful ? [step] : []));
  const told = await claimed(referee, unlawfulClaims);
  let number = 0;
  const faults = steps.flatMap((step) => {
    if ("claim" in step) return told.get(step) ?? [];
    number++;
    return step.lawful ? [] : [actFault(item, number, step)];
  });
  return { file: item.file, line: item.line, kind: "game", acts: number, faults, errors: [] };
}

function actFault(item: Item, number: number, { entry, ruling }: Judged): Fault {
  return {
    line: entry.line ?? item.line,
    number,
    act: entry.text || said(entry.act),
    verdict: Verdict[ruling.verdict] ?? "",
    message: ruling.message,
    findings: ruling.broken.map(({ rule, seat, message }) => ({
      rule,
      seat: seatName(seat),
      message,
      difference: null,
    })),
    remedy: remedyOf(ruling),
    expected: "",
  };
}

/**
 * Ask how the tables differ, where claims do not hold: of claims that stand together at once, for only all of them are
 * a whole table; and alone of one that this says nothing about.
 */
async function claimed(referee: Referee, claims: Compared[]): Promise<Map<Compared, Fault>> {
  const told = new Map<Compared, Fault>();
  for (const since of new Set(claims.map((claim) => claim.since))) {
    const group = claims.filter((claim) => claim.since === since);
    const answer = await differences(referee, group);
    for (const claim of group) {
      const mine = answer.filter(({ seat }) => seat === claim.claim.claim.seat);
      told.set(claim, {
        line: claim.claim.line,
        number: null,
        act: claim.claim.text,
        verdict: "DIFFERS",
        message: differs(claim),
        findings: (mine.length ? mine : await differences(referee, [claim])).map(difference),
        remedy: null,
        expected: "",
      });
    }
  }
  return told;
}

async function differences(referee: Referee, claims: Compared[]): Promise<Differing[]> {
  const [first] = claims;
  if (!first) return [];
  const asked = clone(JudgeTransitionRequestSchema, first.since);
  for (const { claim } of claims) {
    const table = (asked.after ??= create(TableSchema));
    const place = placeOf(table, claim.claim.seat);
    (table[place] ??= create(PlaceSchema)).rack = [...claim.claim.tiles];
  }
  const answer = await referee.judgeTransition(asked).catch((error: unknown) => {
    throw error instanceof RefereeError ? refusedQuestion(`line ${first.claim.line}`, error) : error;
  });
  return answer.differences;
}

async function transition(referee: Referee, item: Item, asked: JudgeTransitionRequest): Promise<Checked> {
  const answer = await referee.judgeTransition(asked).catch((error: unknown) => {
    throw error instanceof RefereeError ? refusedQuestion(nameOf(item.file), error) : error;
  });
  const faults: Fault[] = [];
  if (answer.verdict === Verdict.ILLEGAL || answer.verdict === Verdict.MISDEAL) {
    const acts = asked.acts?.acts ?? [];
    for (const [index, ruling] of answer.rulings.entries()) {
      const act = acts[index];
      if (!act || !ruling.broken.length) continue;
      faults.push(actFault(item, index + 1, { entry: { act, text: "", line: undefined }, ruling, lawful: false }));
    }
    if (answer.differences.length) faults.push(unlike(item, asked, answer));
  }
  return { file: item.file, line: item.line, kind: "transition", acts: answer.rulings.length, faults, errors: [] };
}

function unlike(item: Item, asked: JudgeTransitionRequest, answer: JudgeTransitionResponse): Fault {
  // What the message goes on to say stands in the findings.
  const [summary = ""] = answer.message.split(answer.differences[0]?.message || "\n", 1);
  return {
    line: item.line,
    number: null,
    act: `from ${stageName(asked.before)} to ${stageName(asked.after)}`,
    verdict: Verdict[answer.verdict] ?? "",
    message: summary.trim(),
    findings: answer.differences.map(difference),
    remedy: null,
    expected: "",
  };
}

function difference({ kind: number, path, expected, actual, rule, seat, message }: Differing): Finding {
  const kind = (DifferenceKind[number] ?? "").toLowerCase();
  return {
    rule: rule || `difference.${kind}`,
    seat: seatName(seat),
    message,
    difference: { kind, path, expected, actual },
  };
}

/** Say which tiles a claim and the rack do not share. */
function differs({ missing, beyond }: Compared): string {
  return [
    ...(missing.length ? [`The log names ${tilesText(missing)}, not on the rack.`] : []),
    ...(beyond.length ? [`On the rack there is ${tilesText(beyond)}, not in the log.`] : []),
  ].join(" ");
}

function stageName(table: Table | undefined): string {
  return Stage[table?.stage || Stage.UNDEALT] ?? "";
}

function seatName(seat: Seat): string {
  return seat ? (Seat[seat] ?? "") : "";
}

function remedyOf(ruling: Ruling): object | null {
  const { jokerReturn, misdeal } = toJson(RulingSchema, ruling) as JsonObject;
  if (jokerReturn) return { jokerReturn };
  return misdeal ? { misdeal } : null;
}
