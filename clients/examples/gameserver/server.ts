/**
 * A game server for the Charleston: it asks a referee about every act, stores the tables, shows each player its view.
 *
 * A player connects over TCP and says where it sits: "SOUTH hand 1". From then on each line is a message of the
 * protocol's own as JSON: the player sends a Question with an act, and gets an Answer with the ruling and its view of
 * the table. What the others do comes as an Answer without a question's id. A studio puts its own sessions and
 * WebSockets here.
 */

import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Act,
  ActSchema,
  AnswerSchema,
  create,
  type Deal,
  fromJsonString,
  type JudgeResponse,
  type MessageInitShape,
  type Question,
  QuestionSchema,
  type Referee,
  RefereeError,
  type Ruling,
  Seat,
  Stage,
  type Standing,
  toJsonString,
  Verdict,
  Viewer,
} from "charleston-referee";
import type { Store } from "./tables.js";

export const SEATS = new Map(
  Object.entries({ EAST: Seat.EAST, SOUTH: Seat.SOUTH, WEST: Seat.WEST, NORTH: Seat.NORTH }),
);
const VIEWS = { views: true };
// With these codes nobody has answered; with any other the question itself is wrong, and asking again is no use.
const AWAY = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"]);
const INVALID = 3;

type Outcome = MessageInitShape<typeof AnswerSchema>["outcome"];

/** What a game server needs, and what may be said of it. */
export interface Options {
  /** Deals a new hand. */
  deal: () => Deal;
  /** Takes what an operator should know. */
  say: (line: string) => void;
  /** The seconds that a player has for an act; 30. */
  patience?: number;
  /** The seconds that a player has once it has hung up; 5. */
  grace?: number;
  /** Gives the time, in seconds. */
  now?: () => number;
}

/** Serves any number of hands; what has to outlive this process is in the store. */
export class GameServer {
  readonly #referee: Referee;
  readonly #store: Store;
  readonly #options: Required<Options>;
  readonly #players = new Map<string, Socket>();
  readonly #due = new Map<string, number>(); // when the time of a seat that is waited for is up
  #away = false;

  /** Prepare to serve. */
  constructor(referee: Referee, store: Store, options: Options) {
    this.#referee = referee;
    this.#store = store;
    this.#options = { patience: 30, grace: 5, now: () => performance.now() / 1000, ...options };
  }

  /** Serve one player until it hangs up. */
  async serve(socket: Socket): Promise<void> {
    socket.on("error", () => {}); // it is seen where lines are read
    let hand = "";
    let seat: Seat | undefined;
    try {
      const each = lines(socket);
      const [name = "", ...rest] = ((await each.next()).value ?? "").trim().split(" ");
      hand = rest.join(" ");
      seat = SEATS.get(name); // the session of a real server knows who may sit here
      if (seat) {
        await this.#sitDown(hand, seat, socket);
        for await (const line of each) await this.#asked(hand, seat, line, socket);
      }
    } catch (error) {
      this.#options.say(`a connection ends: ${error}`);
    } finally {
      socket.destroy();
      if (seat && this.#players.get(key(hand, seat)) === socket) {
        this.#players.delete(key(hand, seat));
        if (this.#due.has(key(hand, seat))) {
          this.#options.say(`${hand}: ${Seat[seat]} has hung up, and is waited for a little longer`);
          this.#giveTime(hand, seat);
        }
      }
    }
  }

  /** Show a player its view, be it new or back again; deal when the fourth has sat down. */
  async #sitDown(hand: string, seat: Seat, socket: Socket): Promise<void> {
    this.#players.get(key(hand, seat))?.destroy();
    this.#players.set(key(hand, seat), socket); // from now on it is told of every act
    if (this.#due.has(key(hand, seat))) this.#giveTime(hand, seat);
    const { version, table } = await this.#store.load(hand);
    const answer = await this.#answered(() => this.#referee.whatNext({ table, options: VIEWS }));
    if (version === (await this.#store.load(hand)).version) {
      // If not, it has been shown a newer view.
      send(socket, "", { case: "judged", value: { standing: view(answer.views, seat) } });
      this.#watch(hand, answer.standing!.next!.waitingFor);
    }
    const undealt = [Stage.UNDEALT, Stage.THROWN_IN].includes(answer.standing!.table!.stage);
    if (undealt && [...SEATS.values()].every((each) => this.#players.has(key(hand, each)))) await this.deal(hand);
  }

  /** Answer a line of a player's. */
  async #asked(hand: string, seat: Seat, line: string, socket: Socket): Promise<void> {
    let question: Question;
    try {
      question = fromJsonString(QuestionSchema, line);
    } catch {
      send(socket, "", { case: "error", value: { code: INVALID, message: "Each line is a Question as JSON." } });
      return;
    }
    const act = question.act ?? create(ActSchema);
    act.seat = seat; // nobody acts for another; a deal, which no seat makes, is refused as well
    if (act.kind.case === "look") act.kind.value.tiles = []; // faces are found by looking, not by guessing
    try {
      await this.play(hand, act, question.questionId);
    } catch (error) {
      if (!(error instanceof RefereeError && error.code === "INVALID_ARGUMENT")) throw error;
      send(socket, question.questionId, { case: "error", value: { code: INVALID, message: error.reason } });
    }
  }

  /** Have an act judged on the stored table, store the table after it, tell the players; return the ruling. */
  async play(hand: string, act: Act, questionId = ""): Promise<Ruling> {
    let answer: JudgeResponse;
    let refused: boolean;
    for (;;) {
      const { version, table } = await this.#store.load(hand);
      answer = await this.#answered(() => this.#referee.judge({ table, act, options: VIEWS }));
      refused = answer.ruling!.verdict === Verdict.ILLEGAL;
      if (refused || (await this.#store.swap(hand, version, answer.standing!.table!))) break;
      this.#options.say(`${hand}: another act was stored first, so this one is judged again`);
    }
    const ruling = answer.ruling!;
    for (const seat of refused ? [act.seat] : SEATS.values()) {
      const mine = seat === act.seat;
      // What else a ruling says names tiles of who acted.
      const told = { ruling: mine ? ruling : { verdict: ruling.verdict }, standing: view(answer.views, seat) };
      send(this.#players.get(key(hand, seat)), mine ? questionId : "", { case: "judged", value: told });
    }
    if (!refused) this.#watch(hand, answer.standing!.next!.waitingFor, act.seat);
    if (ruling.verdict === Verdict.MISDEAL && act.kind.case !== "deal") await this.deal(hand);
    return ruling;
  }

  /** Deal a hand; one that is misdealt is thrown in and dealt again. */
  async deal(hand: string): Promise<void> {
    for (let times = 0; times < 3; times++) {
      const { stage } = (await this.#store.load(hand)).table;
      const act = create(ActSchema, { stage, kind: { case: "deal", value: this.#options.deal() } });
      const ruling = await this.play(hand, act);
      if (ruling.verdict !== Verdict.MISDEAL) return this.#options.say(`${hand}: the racks are dealt`);
      this.#options.say(`${hand}: a misdeal. ${ruling.broken[0]!.message}`);
    }
    throw new Error("three misdeals one after another: it is our dealing that is wrong");
  }

  /** Hold a question until a referee answers it: the same question, as often as it takes. */
  async #answered<A>(ask: () => Promise<A>): Promise<A> {
    for (;;) {
      try {
        const answer = await ask();
        if (this.#away) {
          this.#away = false;
          for (const late of this.#due.keys()) this.#giveTime(...seated(late));
        }
        return answer;
      } catch (error) {
        if (!(error instanceof RefereeError && AWAY.has(error.code))) throw error;
      }
      if (!this.#away) this.#options.say("no referee answers, so the act is held, and nobody's time runs out");
      this.#away = true;
      await sleep(200);
    }
  }

  /** Give each seat that is waited for its time, and one that has just acted new time. */
  #watch(hand: string, waiting: Seat[], actor?: Seat): void {
    for (const seat of SEATS.values()) {
      if (!waiting.includes(seat)) this.#due.delete(key(hand, seat));
      else if (seat === actor || !this.#due.has(key(hand, seat))) this.#giveTime(hand, seat);
    }
  }

  #giveTime(hand: string, seat: Seat): void {
    const { now, patience, grace } = this.#options;
    this.#due.set(key(hand, seat), now() + (this.#players.has(key(hand, seat)) ? patience : grace));
  }

  /**
   * Play the example act for players whose time is up, until the signal says that it is enough.
   *
   * If the player acts in the same moment, the referee refuses whichever act comes second.
   */
  async keepTime(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const late = [...this.#due].filter(([, due]) => due <= this.#options.now());
      for (const [hand, seat] of this.#away ? [] : late.map(([place]) => seated(place))) {
        this.#giveTime(hand, seat);
        const { table } = await this.#store.load(hand);
        const answer = await this.#answered(() => this.#referee.whatNext({ table }));
        const example = answer.standing!.next!.seats.find((each) => each.seat === seat)?.example;
        if (!example) continue;
        this.#options.say(`${hand}: ${Seat[seat]} is out of time, so the example is played`);
        await this.play(hand, example);
      }
      await sleep(50);
    }
  }
}

/** Where a player sits, as one word for a map. */
function key(hand: string, seat: Seat): string {
  return `${Seat[seat]} ${hand}`;
}

function seated(key: string): [string, Seat] {
  const [name = "", ...hand] = key.split(" ");
  return [hand.join(" "), SEATS.get(name)!];
}

/** Yield the lines of a player; one without end hangs up. */
export async function* lines(socket: Socket): AsyncGenerator<string> {
  let rest = "";
  try {
    for await (const chunk of socket.setEncoding("utf8")) {
      const whole = `${rest}${chunk}`.split("\n");
      rest = whole.pop()!;
      yield* whole;
      if (rest.length > 65536) return;
    }
  } catch {
    return; // it went in the middle of a line
  }
}

/** Return what a seat may see of a table. */
function view(views: Standing[], seat: Seat): Standing {
  return views.find((each) => Viewer[each.viewer] === Seat[seat])!;
}

/** Send a player an answer, as a line of JSON. */
function send(socket: Socket | undefined, questionId: string, outcome: Outcome): void {
  socket?.write(`${toJsonString(AnswerSchema, create(AnswerSchema, { questionId, outcome }))}\n`);
}
