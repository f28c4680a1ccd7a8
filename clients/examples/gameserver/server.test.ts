/** The game server with a real referee: a hand with everything in it, the same each time, and players who mean no good. */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { after, before, test } from "node:test";
import {
  type Act,
  ActSchema,
  type Answer,
  create,
  type Deal,
  parseAct,
  type Place,
  type Referee,
  RefereeError,
  Stage,
  Tile,
  Verdict,
} from "charleston-referee";
import { RefereeClient } from "charleston-referee/node";
import { DEALS, HAND, Hand, OurReferee, serve } from "./hand.js";
import { Player } from "./players.js";
import { GameServer, SEATS } from "./server.js";
import { shuffled, Store } from "./tables.js";

const TRANSCRIPT = readFileSync(new URL("../transcript.txt", import.meta.url), "utf8");
const [WRONG, RIGHT] = DEALS.map(dealt) as [Deal, Deal];
const INVALID_ARGUMENT = 3;
const process_ = new OurReferee();
let referee: RefereeClient;

before(async () => {
  await process_.start();
  referee = new RefereeClient(process_.address);
});

after(async () => {
  referee.close();
  await process_.kill();
});

function dealt(text: string): Deal {
  const { kind } = parseAct(text);
  if (kind.case !== "deal") throw new Error("this is no deal");
  return kind.value;
}

interface Served {
  readonly game: GameServer;
  readonly store: Store;
  readonly players: [Player, Player, Player, Player];
  readonly said: string[];
}

interface Given {
  readonly deals?: Deal[];
  readonly now?: () => number;
  readonly asked?: Referee;
}

/** Serve four who have sat down and been dealt to, while the test lasts. */
async function serving({ deals = [RIGHT], now, asked = referee }: Given, body: (served: Served) => Promise<void>) {
  const said: string[] = [];
  const store = new Store();
  const wall = deals.values();
  const deal = () => wall.next().value!;
  const game = new GameServer(asked, store, { deal, say: (line) => said.push(line), ...(now && { now }) });
  const over = new AbortController();
  const server = createServer((socket) => void game.serve(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const players = [...SEATS.keys()].map((seat) => new Player(seat, HAND, port)) as Served["players"];
  const clock = game.keepTime(over.signal);
  try {
    for (const player of players) await player.sitDown();
    for (const player of players) await player.sees(Stage.FIRST_RIGHT);
    await body({ game, store, players, said });
  } finally {
    for (const player of players) await player.hangUp();
    over.abort();
    server.close();
    await clock;
  }
}

/** Run the example as a program; return its status and what it prints. */
async function played(...address: string[]): Promise<[number, string]> {
  const child = spawn(process.execPath, [new URL("hand.js", import.meta.url).pathname, ...address]);
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  child.stderr.pipe(process.stderr);
  const [status] = (await once(child, "close")) as [number];
  return [status, printed];
}

test("the hand goes as the transcript tells, as it does in Python", async () => {
  deepEqual(await played(), [0, TRANSCRIPT]);
});

test("a referee of somebody else is not killed", async () => {
  const killing = /no referee answers|the table as it was/;
  const expected = TRANSCRIPT.split("\n").filter((line) => !killing.test(line));

  deepEqual(await played(process_.address), [0, expected.join("\n")]);
  equal(TRANSCRIPT.split("\n").length - expected.length, 2);
});

test("a player is told what it may know and no more", async (context) => {
  context.mock.method(console, "log", () => {});
  const hand = new Hand(undefined);
  await serve(hand, referee);

  for (const player of hand.players) {
    const [own, others] = [true, false].map((mine) =>
      player.told.filter(({ questionId }) => Boolean(questionId) === mine).map(ruling),
    ) as [ReturnType<typeof ruling>[], ReturnType<typeof ruling>[]];
    ok(own.length > 5 && others.length > 20);
    deepEqual(new Set(player.told.flatMap((answer) => foreign(player.seat, answer))), new Set());
    ok(own.every((each) => each?.message));
    ok(others.every((each) => !each?.message && !each?.broken.length));
  }
});

function ruling({ outcome }: Answer) {
  return outcome.case === "judged" ? outcome.value.ruling : undefined;
}

/** Return the faces that an answer shows of other seats' tiles, and of tiles coming in to its own. */
function foreign(seat: string, { outcome }: Answer): Tile[] {
  const table = outcome.case === "judged" ? outcome.value.standing!.table! : undefined;
  const places: Record<string, Place | undefined> = {
    EAST: table?.east,
    SOUTH: table?.south,
    WEST: table?.west,
    NORTH: table?.north,
  };
  const faces = Object.entries(places).flatMap(([name, place]) => [
    ...(place?.incoming ?? []),
    ...(name === seat ? [] : [...(place?.rack ?? []), ...(place?.setOut?.tiles ?? [])]),
  ]);
  return faces.filter((face) => face !== Tile.HIDDEN);
}

test("a player acts for itself, and sees nothing by guessing", async () => {
  await serving({}, async ({ store, players: [east, south, west, north] }) => {
    const sneaky = parseAct("EAST passes 1b 2b R at FIRST_RIGHT"); // South's tiles
    equal((await south.ask(sneaky)).verdict, Verdict.LEGAL);
    const { table } = await store.load(HAND);
    ok(table.south!.setOut && !table.east!.setOut);

    const again = create(ActSchema, { stage: Stage.FIRST_RIGHT, kind: { case: "deal", value: RIGHT } });
    equal(code(await south.asked(again)), INVALID_ARGUMENT);

    const acts: [Player, string][] = [
      [east, "passes 6c S W"],
      [west, "passes 1c 7c W"],
      [north, "passes 1b 2b 7b"],
    ];
    for (const [player, words] of acts) await player.ask(player.means(words));
    equal((await south.ask(parseAct("SOUTH looks 1d 1d 1d at FIRST_RIGHT"))).verdict, Verdict.LEGAL);
  });
});

function code({ outcome }: Answer) {
  return outcome.case === "error" ? outcome.value.code : undefined;
}

for (const line of ["", "nonsense", "[".repeat(1000), '{"act": 3}', '{"table": {}}', "🀄"]) {
  test(`a line that is no question is answered with an error: ${line.slice(0, 20)}`, async () => {
    await serving({}, async ({ players: [east] }) => {
      const known = east.told.length;
      east.send(line);
      await east.until(() => east.told.length > known);

      equal(code(east.told.at(-1)!), INVALID_ARGUMENT);
      equal((await east.ask(east.means("passes 6c S W"))).verdict, Verdict.LEGAL);
    });
  });
}

test("a line without end hangs up, and nobody else notices", async () => {
  await serving({}, async ({ players: [east, south] }) => {
    east.send("x".repeat(1_000_000));
    await east.gone();
    equal((await south.ask(south.means("passes 1b 2b R"))).verdict, Verdict.LEGAL);
    await east.sitDown();
    ok(east.view.south!.setOut);
  });
});

test("who sits down elsewhere leaves the old connection", async () => {
  await serving({}, async ({ said, players: [east] }) => {
    const again = new Player("EAST", HAND, east.port);
    await again.sitDown();
    await east.gone();

    equal((await again.ask(again.means("passes 6c S W"))).verdict, Verdict.LEGAL);
    deepEqual(said, [`${HAND}: the racks are dealt`]);
    await again.hangUp();
  });
});

test("a table that has lost a tile is thrown in and dealt again", async () => {
  await serving({ deals: [RIGHT, RIGHT] }, async ({ store, players: [east, south] }) => {
    const { version, table } = await store.load(HAND);
    table.south!.rack.shift();
    await store.swap(HAND, version, table);
    const { verdict, remedy } = await east.ask(east.means("passes 6c S W"));
    await south.until(() => south.view.south!.rack.length === 13);

    equal(verdict, Verdict.MISDEAL);
    equal(remedy.case === "misdeal" && remedy.value.counts[0]!.counted, 12);
    equal(south.view.stage, Stage.FIRST_RIGHT);
  });
});

test("dealing that is always wrong ends", async () => {
  const game = new GameServer(referee, new Store(), { deal: () => WRONG, say: () => {} });

  await rejects(game.deal(HAND), /it is our dealing/);
});

test("a late player and its example are not both played", async () => {
  await serving({}, async ({ game, players: [east] }) => {
    const act: Act = east.means("passes 6c S W");
    const rulings = await Promise.all([game.play(HAND, act), east.ask(act)]);

    deepEqual(rulings.map(({ verdict }) => Verdict[verdict]).sort(), ["ILLEGAL", "LEGAL"]);
    equal(east.view.east!.rack.length, 11);
  });
});

test("nobody's time runs out while no referee answers", async () => {
  let later = 0;
  let away = false;
  let asked = 0;
  const absent: Referee = Object.create(referee, {
    judge: {
      value: (...question: Parameters<Referee["judge"]>) => {
        asked++;
        return away ? Promise.reject(new RefereeError("UNAVAILABLE", "away")) : referee.judge(...question);
      },
    },
    whatNext: { value: (...question: Parameters<Referee["whatNext"]>) => referee.whatNext(...question) },
  }) as Referee;
  const now = () => performance.now() / 1000 + later;
  await serving({ now, asked: absent }, async ({ said, players: [east] }) => {
    away = true;
    const held = east.ask(east.means("passes 6c S W"));
    const known = asked;
    while (asked < known + 5) {
      later += 1000; // a held question is asked again every now and then
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    away = false;

    equal((await held).verdict, Verdict.LEGAL);
    equal(said.length, 2);
    ok(said[1]!.startsWith("no referee answers"));
  });
});

test("a player who is there and does nothing is played for", async () => {
  let later = 0;
  await serving({ now: () => performance.now() / 1000 + later }, async ({ said, players: [east] }) => {
    later = 31;
    await east.until(() => east.view.east!.incoming.length > 0);

    deepEqual(
      said.slice(1),
      [...SEATS.keys()].map((seat) => `${HAND}: ${seat} is out of time, so the example is played`),
    );
  });
});

test("the wall is a whole set", () => {
  const deals = Array.from({ length: 50 }, shuffled).map(({ east, south, west, north }) => [east, south, west, north]);

  for (const racks of deals) {
    deepEqual(
      racks.map((rack) => rack!.tiles.length),
      [14, 13, 13, 13],
    );
    const copies = new Map<Tile, number>();
    for (const tile of racks.flatMap((rack) => rack!.tiles)) copies.set(tile, (copies.get(tile) ?? 0) + 1);
    ok([...copies].every(([face, number]) => number <= (face >= Tile.FLOWER ? 8 : 4)));
  }
  equal(new Set(deals.map((racks) => JSON.stringify(racks))).size, deals.length);
});
