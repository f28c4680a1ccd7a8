/** A player's front end: it shows what the game server tells, and sends what the player wants to do. */

import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import {
  type Act,
  type Answer,
  AnswerSchema,
  create,
  fromJsonString,
  parseAct,
  QuestionSchema,
  type Ruling,
  Stage,
  type Table,
  tableText,
  toJsonString,
  Verdict,
} from "charleston-referee";
import { lines } from "./server.js";

/** A front end: a connection to the game server, and all that it was told. */
export class Player {
  readonly told: Answer[] = [];
  readonly #news = new EventEmitter();
  #socket: Socket | undefined;
  #questions = 0;

  /** Prepare to sit down; the game server is on this machine. */
  constructor(
    readonly seat: string,
    readonly hand: string,
    readonly port: number,
  ) {}

  /** The table as it was shown last. */
  get view(): Table {
    return this.judged.at(-1)!.standing!.table!;
  }

  /** What it was told of acts, its own and the others'. */
  get judged() {
    return this.told.flatMap(({ outcome }) => (outcome.case === "judged" ? [outcome.value] : []));
  }

  /** Connect, and wait for the view. */
  async sitDown(): Promise<void> {
    const known = this.told.length;
    this.#socket = connect(this.port, "127.0.0.1");
    this.send(`${this.seat} ${this.hand}`);
    void this.#listen(this.#socket);
    await this.until(() => this.told.length > known);
  }

  /** Lose the connection, if there is one. */
  async hangUp(): Promise<void> {
    this.#socket?.destroy();
    await this.gone();
  }

  /** Wait until the connection is lost. */
  async gone(): Promise<void> {
    const socket = this.#socket;
    if (socket && !socket.closed) await new Promise((lost) => socket.once("close", lost));
  }

  /** Read an act, which is for the stage that this player sees. */
  means(words: string): Act {
    const act = parseAct(`${this.seat} ${words}`);
    act.stage = this.view.stage;
    return act;
  }

  /** Send an act, and wait for the answer. */
  async asked(act: Act): Promise<Answer> {
    const questionId = `${this.seat} ${++this.#questions}`;
    this.send(toJsonString(QuestionSchema, create(QuestionSchema, { questionId, act })));
    const answer = () => this.told.find((each) => each.questionId === questionId);
    await this.until(() => answer() !== undefined);
    return answer()!;
  }

  /** Send an act, and wait for the ruling. */
  async ask(act: Act): Promise<Ruling> {
    const { outcome } = await this.asked(act);
    if (outcome.case !== "judged") throw new Error(outcome.value?.message);
    return outcome.value.ruling!;
  }

  /** Act, and print what the referee says. */
  async act(words: string): Promise<void> {
    this.show(words, await this.ask(this.means(words)));
  }

  /** Print an act and its ruling. */
  show(words: string, ruling: Ruling): void {
    console.log(`  ${`${this.seat} ${words}`.padEnd(40)}${Verdict[ruling.verdict]}`);
    for (const { rule, message } of ruling.broken) console.log(`    ${rule}: ${message}`);
  }

  /** Print the table as this player sees it. */
  showView(): void {
    console.log(`  ${this.seat} sees`);
    for (const line of tableText(this.view).trimEnd().split("\n")) console.log(`    ${line}`);
  }

  /** Wait until something that this player was told has happened. */
  async until(happened: () => boolean): Promise<void> {
    const patience = AbortSignal.timeout(60_000);
    while (!happened()) await once(this.#news, "told", { signal: patience });
  }

  /** Wait until this player sees a stage. */
  async sees(stage: Stage): Promise<void> {
    await this.until(() => this.view.stage === stage);
  }

  /** Send a line. */
  send(line: string): void {
    if (!this.#socket) throw new Error("who has not sat down does not act");
    this.#socket.write(`${line}\n`);
  }

  async #listen(socket: Socket): Promise<void> {
    socket.on("error", () => {}); // the connection is lost
    for await (const line of lines(socket)) {
      this.told.push(fromJsonString(AnswerSchema, line));
      this.#news.emit("told");
    }
  }
}
