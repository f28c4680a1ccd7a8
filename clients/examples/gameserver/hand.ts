/**
 * One hand that has everything in it, by four players: `node build/hand.js [ADDRESS]`.
 *
 * Without the address of a referee one is started, and killed in the middle of the hand.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { type Deal, parseAct, type Referee, Stage, type Table, tableText, Verdict } from "charleston-referee";
import { RefereeClient } from "charleston-referee/node";
import { Player } from "./players.js";
import { GameServer, SEATS } from "./server.js";
import { Store } from "./tables.js";

export const HAND = "hand 1";
// The wall is stacked, so that the hand goes the same way each time; and at first East is dealt a tile too few.
const REST =
  "SOUTH 1b 2b 1c 4c 9c 9d E N R O F F F / WEST 1b 5b 1c 2c 7c 7c 8c 1d 4d 5d 6d 8d W" +
  " / NORTH 1b 2b 7b 9b 1c 4c 5c 2d 2d 2d W G J";
export const DEALS = [
  `deal EAST 8b 2c 6c 1d 5d 7d 9d 9d S S W N F / ${REST}`,
  `deal EAST 8b 2c 6c 1d 5d 7d 9d 9d S S W N F J / ${REST}`,
];

/** A store in which two readers can be made to meet, so that both act on the same table. */
class Meeting extends Store {
  meeting = false;
  #first: (() => void) | undefined;

  /** Return what is stored; if a meeting has been called, wait for the other reader first. */
  override async load(hand: string): Promise<{ version: number; table: Table }> {
    const stored = await super.load(hand);
    if (this.#first) {
      this.#first(); // the other one has come, and whoever reads next waits for nobody
      this.#first = undefined;
    } else if (this.meeting) {
      this.meeting = false;
      await new Promise<void>((resolve) => (this.#first = resolve));
    }
    return stored;
  }
}

/** A referee in a process of its own. */
export class OurReferee {
  address = "127.0.0.1:0";
  #process: ChildProcess | undefined;

  /** Start it: on a free port, and when it comes back on the same one. */
  async start(): Promise<void> {
    const command = ["serve", "--listen", this.address, "--metrics", "", "--log", "off"];
    this.#process = spawn("referee", command, { stdio: ["ignore", "pipe", "inherit"] });
    process.once("exit", () => this.#process?.kill("SIGKILL")); // whatever happens, it is not left behind
    const lost = once(this.#process, "close").then(() => Promise.reject(new Error("the referee did not start")));
    const first = once(createInterface(this.#process.stdout!), "line"); // the first line of its log says where it listens
    const [line] = (await Promise.race([first, lost])) as [string];
    this.address = (JSON.parse(line) as { address: string }).address;
  }

  /** End it at once, as kill -9 does. */
  async kill(): Promise<void> {
    if (this.#process?.kill("SIGKILL")) await once(this.#process, "exit");
  }
}

/** The hand, scene by scene, and what the game server has from outside: the store, the wall, the time, a log. */
export class Hand {
  readonly store = new Meeting();
  players: Player[] = [];
  readonly #ours: OurReferee | undefined;
  readonly #said: string[] = [];
  readonly #deals = DEALS.values();
  #skipped = 0;

  /** Begin; only a referee that is ours is killed. */
  constructor(ours: OurReferee | undefined) {
    this.#ours = ours;
  }

  /** Deal from the stacked wall. */
  readonly deal = (): Deal => {
    const { kind } = parseAct(this.#deals.next().value!);
    if (kind.case !== "deal") throw new Error("this is no deal");
    return kind.value;
  };

  /** Return the time in seconds, with what has been skipped so that nobody has to wait for it. */
  readonly now = (): number => performance.now() / 1000 + this.#skipped;

  /** Print what the game server has to say. */
  readonly say = (line: string): void => {
    console.log(`  server: ${line}`);
    this.#said.push(line);
  };

  /** Wait until the game server has said something. */
  async hears(words: string): Promise<void> {
    const patience = Date.now() + 60_000;
    while (!this.#said.some((line) => line.includes(words))) {
      if (Date.now() > patience) throw new Error(`the game server has not said: ${words}`);
      await sleep(10);
    }
  }

  /** Play it from the deal to East's discard, at the game server on this port. */
  async play(port: number): Promise<void> {
    this.players = [...SEATS.keys()].map((seat) => new Player(seat, HAND, port));
    const [east, south, west, north] = this.players as [Player, Player, Player, Player];
    scene("Four players sit down: a misdeal, and the new deal");
    for (const player of this.players) await player.sitDown();
    await this.allSee(Stage.FIRST_RIGHT);

    scene("What South sees");
    south.showView();

    scene("Two acts at once");
    const before = (await this.store.load(HAND)).version;
    const passes = ["passes 6c S W", "passes 1b 2b R"] as const;
    this.store.meeting = true;
    const rulings = await Promise.all([east.ask(east.means(passes[0])), south.ask(south.means(passes[1]))]);
    east.show(passes[0], rulings[0]);
    south.show(passes[1], rulings[1]);
    const after = (await this.store.load(HAND)).version;
    console.log(`  stored: ${after - before} tables, one after the other`);

    scene("North hangs up, runs out of time, and comes back");
    await west.act("passes 1c 7c W");
    await north.hangUp();
    await this.hears("NORTH has hung up");
    this.#skipped += 10;
    await east.until(() => east.view.east!.incoming.length > 0);
    await north.sitDown();
    north.showView();
    await this.allLook();

    scene("A retry that comes late");
    await east.act("passes 7d 9d N");
    const late = parseAct("EAST passes 6c S W at FIRST_RIGHT");
    east.show("passes 6c S W (again)", await east.ask(late));

    scene("A Joker is passed, goes back, and is paid for");
    await north.act("passes 9b G J");
    await south.until(() => south.view.debts.length > 0);
    console.log(`  SOUTH hears ${Verdict[south.judged.at(-1)!.ruling!.verdict]}`);
    south.showView();
    await north.act("replaces W");
    await south.act("hands back 1 J to NORTH");
    await south.act("passes 4c O 6c");
    await west.act("passes 1b 5b 8c");
    await this.allLook();

    scene("The referee is killed, and comes back");
    await east.act("passes 2c 1d S");
    await south.act("passes 9c N G");
    const words = "passes 7d 9d N";
    if (this.#ours) {
      const stored = await this.store.load(HAND);
      await this.#ours.kill();
      const asked = west.ask(west.means(words));
      await this.hears("no referee answers");
      const same = isDeepStrictEqual(stored, await this.store.load(HAND));
      console.log(`  stored: ${same ? "the table as it was" : "another table"}`);
      await this.#ours.start();
      west.show(words, await asked);
    } else {
      await west.act(words);
    }
    await north.act("passes 7c W blind 1");
    await this.allLook();

    scene("The second Charleston is stopped");
    await east.act("passes 1b 2b 7b");
    await south.act("stops");
    await this.allSee(Stage.COURTESY);
    east.showView();

    scene("The courtesy");
    for (const [index, number] of [2, 0, 1, 3].entries()) await this.players[index]!.act(`offers ${number}`);
    await east.act("passes 8b");
    await west.act("passes 4d");
    await east.act("looks");
    await west.act("looks");
    await this.allSee(Stage.OPENING);

    scene("East discards, and the hand is played on elsewhere");
    await east.act("discards 5b");
    await this.allSee(Stage.PLAY);
    for (const { seat, view } of this.players) {
      console.log(
        `  ${tableText(view)
          .split("\n")
          .find((line) => line.startsWith(seat))}`,
      );
    }
  }

  /** Let everybody look, one after another. */
  async allLook(): Promise<void> {
    const { stage } = this.players[0]!.view;
    const verdicts = new Set<string>();
    for (const player of this.players) verdicts.add(Verdict[(await player.ask(player.means("looks"))).verdict]);
    console.log(`  ${"all four look".padEnd(40)}${[...verdicts].sort().join(", ")}`);
    await this.allSee(stage + 1);
  }

  /** Wait until everybody sees a stage. */
  async allSee(stage: Stage): Promise<void> {
    for (const player of this.players) await player.sees(stage);
  }
}

/** Print what comes now. */
function scene(title: string): void {
  console.log(`\n${title}`);
}

/** Serve the hand while it is played. */
export async function serve(hand: Hand, referee: Referee): Promise<void> {
  const game = new GameServer(referee, hand.store, { deal: hand.deal, say: hand.say, now: hand.now });
  const over = new AbortController();
  const server = createServer((socket) => void game.serve(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const clock = game.keepTime(over.signal);
  try {
    await Promise.race([hand.play((server.address() as AddressInfo).port), clock]);
  } finally {
    for (const player of hand.players) await player.hangUp();
    over.abort();
    server.close();
  }
  await clock;
}

/** Play the hand with the referee at an address, or with one of our own. */
async function main(address?: string): Promise<void> {
  const ours = address ? undefined : new OurReferee();
  let referee: RefereeClient | undefined;
  try {
    await ours?.start();
    referee = new RefereeClient(address ?? ours!.address);
    await serve(new Hand(ours), referee);
  } finally {
    referee?.close();
    await ours?.kill();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2]);
