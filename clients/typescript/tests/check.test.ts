/** `charleston-check` reports what `charleston check` reports, to the letter, and ends with the same status. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { BIN, ROOT } from "./support/repository.js";
import { CLAIMS, JOKER, KNOWN, LAWFUL, replayText } from "./support/samples.js";
import { type Server, serving } from "./support/server.js";
import { nobody } from "./support/stranger.js";

const MAIN = join(process.cwd(), "dist/check/main.js");
const OURS = [process.execPath, MAIN];
// A machine that is busy elsewhere is no referee that does not answer.
const PATIENT = ["--timeout", "120"];
const PYTHON = [join(BIN, "charleston"), "check"];

interface Ran {
  status: number | null;
  out: string;
  complaints: string;
}

let server: Server;
let folder: string;

before(async () => (server = await serving()));
after(() => server.stop());

beforeEach(() => {
  folder = mkdtempSync(join(process.cwd(), "build/check-"));
  put("games/a.charleston", LAWFUL);
  put("games/b.charleston", JOKER);
  put("lists/known.toml", KNOWN);
});

function put(name: string, text: string | Buffer): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function kept(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** Run a command; return its status, what it prints, and what it complains of. */
async function run(command: readonly string[], words: string[], input = "", cwd = folder): Promise<Ran> {
  const [program = "", ...first] = command;
  const child = spawn(program, [...first, ...words], { cwd, env: { ...process.env, GITHUB_WORKSPACE: cwd } });
  child.stdin.on("error", () => {}).end(input);
  const [out, complaints] = [child.stdout, child.stderr].map(async (stream) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  });
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { status, out: (await out) ?? "", complaints: (await complaints) ?? "" };
}

function check(...words: string[]): Promise<Ran> {
  return run(OURS, ["--address", server.address, ...PATIENT, ...words]);
}

/** Run both commands; return what ours printed, once that is known to be what the other printed. */
async function same(words: string[], input = "", cwd = folder): Promise<Ran> {
  const asked = ["--address", server.address, ...PATIENT, ...words];
  const [ours, python] = await Promise.all([run(OURS, asked, input, cwd), run(PYTHON, asked, input, cwd)]);

  assert.equal(ours.out, python.out);
  assert.equal(ours.status, python.status);
  return ours;
}

/** Run both commands with a report each in a file, and compare what is in the files. */
async function sameReports(words: string[], cwd = folder): Promise<void> {
  const files = ["json", "junit", "sarif"];
  const told = async (name: string, command: string[]) => {
    const reports = files.flatMap((file) => [`--${file}`, join(folder, `${name}.${file}`)]);
    await run(command, ["--address", server.address, ...PATIENT, ...words, ...reports], "", cwd);
    return files.map((file) => kept(`${name}.${file}`)) as [string, string, string];
  };
  const [ours, python] = await Promise.all([told("ours", OURS), told("python", PYTHON)]);
  const [lines, junit, sarif] = ours;
  const [theirLines, theirJunit, theirSarif] = python;

  assert.deepEqual(documents(lines), documents(theirLines));
  assert.equal(junit, theirJunit);
  assert.deepEqual(JSON.parse(sarif), JSON.parse(theirSarif));
}

function documents(text: string): unknown[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("the real games and tables of this repository", () => {
  const real = ["tests/real/games/*.charleston", "tests/real/ends.jsonl", "tests/real/transitions.jsonl"];
  const known = ["--expected", "tests/real/expected.toml"];

  test("have known faults only, as charleston check tells them", async () => {
    const { status, out } = await same([...real, ...known, "--verbose"], "", ROOT);

    assert.equal(status, 0);
    assert.match(out, /with known faults only/);
  });

  test("have the same faults without the list, in French, and the same annotations", async () => {
    const { status } = await same([...real, "--language", "fr", "--github"], "", ROOT);

    assert.equal(status, 1);
  });

  test("have the same reports for machines", () => sameReports([...real, ...known], ROOT));
});

test("the status says whether all was lawful", async () => {
  const statuses = await Promise.all([
    check("games/a.charleston"),
    check("games"),
    check("games", "lists/known.toml"),
    check("nothing.charleston"),
  ]);

  assert.deepEqual(
    statuses.map(({ status }) => status),
    [0, 1, 2, 2],
  );
});

test("a game is the same in every form, plain or packed, and on standard input", async () => {
  const forms: Record<string, string | Buffer> = {
    "b.charleston": JOKER,
    "b.charleston.gz": gzipSync(JOKER),
    "b.json": replayText(JOKER),
    "b.jsonl": `${replayText(LAWFUL)}\n\n${replayText(JOKER)}\n`,
    "b.ndjson.gz": gzipSync(`\n${replayText(JOKER)}`),
    "b.txt": `\ufeff${JOKER.replaceAll("\n", "\r\n")}`,
    b: `\n${replayText(JOKER)}\n${replayText(LAWFUL)}`,
  };
  for (const [name, text] of Object.entries(forms)) {
    put(name, text);
  }
  await same(Object.keys(forms));
  await same(["-"], JOKER);
  await same(["-", "--skip-illegal"], `${replayText(JOKER)}\n`);
});

test("claims of the log are compared with the table, those that stand together as one", async () => {
  put("claims.charleston", CLAIMS);
  put("early.charleston", "table at FIRST_RIGHT\nEAST rack ?*14\nEAST holds 1b\nSOUTH stops\n");
  const { out } = await same(["claims.charleston", "early.charleston"]);
  await sameReports(["claims.charleston"]);

  assert.match(out, /NORTH holds[^]*DIFFERS/);
});

test("folders, patterns and names give each file once, in order; what is hidden is passed over", async () => {
  const names = [
    "games/z/c.charleston",
    "games/.hidden.charleston",
    "games/.z/d.charleston",
    "games/d.jsonl.gz",
    "B.json",
  ];
  for (const name of names) put(name, name.endsWith(".charleston") ? JOKER : replayText(JOKER));
  put("games/notes.txt", "nothing");
  await same(["games/*.charleston", "games", "B.json"]);
  await same(["games/**", "g[a-f]mes/?.*"]);
  await same(["**/*.charleston"]);
  const empty = await check("nothing/*.charleston");

  assert.match(empty.complaints, /there is nothing to check here/);
});

test("what cannot be judged is told with its place, and the rest is judged", async () => {
  const lines = [
    "{}",
    replayText(LAWFUL),
    '{"acts": [{"seat": "SEAT_EAST", "offer": {}}]}',
    '{"before": {}, "after": {}}',
    "[]",
  ];
  put("wrong.jsonl", `${lines.join("\n")}\n`);
  put("wrong.charleston", `${JOKER}EAST sings\nWEST passes 5x\n`);
  put("cut.jsonl.gz", gzipSync(`${replayText(JOKER)}\n`.repeat(50)).subarray(0, 200));
  put("many.charleston", "EAST sings\n".repeat(30));
  put("deep.charleston", "house no.such\n");
  await same(["wrong.jsonl", "wrong.charleston", "many.charleston", "games", "deep.charleston"]);
  const { out, status } = await check("cut.jsonl.gz", "games");
  put("bytes.charleston", Buffer.from([0x45, 0xff, 0xfe]));
  put("json.json", '{"acts": [}');
  put("names.json", '{"actz": []}');
  const told = await check("bytes.charleston", "json.json", "names.json", "nobody.charleston");

  assert.equal(status, 2);
  assert.match(out, /^cut\.jsonl\.gz:\d+: the file is cut short or no gzip$/m);
  assert.match(told.out, /^bytes\.charleston:1: this is no text in UTF-8$/m);
  assert.match(told.out, /^json\.json:1: column 11: .*$/m);
  assert.match(told.out, /^names\.json:1: .*"actz".*$/m);
  assert.match(told.out, /^nobody\.charleston:1: No such file or directory$/m);
});

test("what was read cannot write on the terminal", async () => {
  put("bad.json", '{"\\u001b[2J": 1}');
  const { out } = await check("bad.json");

  assert.ok(!out.includes("\x1b"));
});

test("one report may take the place of the one for people; two cannot be", async () => {
  await same(["games", "--junit", "-"]);
  const { out } = await check("games", "--json", "-", "--github");
  const two = await check("games", "--json", "-", "--sarif", "-");

  assert.equal(documents(out).length, 3);
  assert.deepEqual([two.status, two.complaints], [2, "charleston-check: only one report can go to standard output\n"]);
});

test("house rules stand for files without any, and illegal acts are left out where that is asked", async () => {
  put("stop.charleston", `house stop.at_set_out\n${JOKER}`);
  await same(["games", "stop.charleston", "--house", "league", "--skip-illegal"]);
});

describe("known faults", () => {
  const listed = ["games", "--expected", "lists/known.toml"];

  test("pass, and are told when asked for", async () => {
    const { status, out } = await same([...listed, "-v"]);

    assert.equal(status, 0);
    assert.match(out, /expected: The looks are too early\./);
  });

  test("that no longer fail, or are not whole, fail the run", async () => {
    put(
      "lists/known.toml",
      KNOWN.replace('["look.before"]', '["look.before", "stop.over"]').replace("b.char", "c.char"),
    );
    const { status, out } = await same([...listed, "--github"]);
    await sameReports(listed);

    assert.equal(status, 1);
    assert.match(out, /no longer as listed/);
  });

  test("are no news where a file was not checked or cannot be judged", async () => {
    await same(["games/a.charleston", "--expected", "lists/known.toml"]);
    put("games/b.charleston", "EAST sings\n");
    await same(listed);
  });

  test("are rewritten by --fix as charleston check does it, with all else in its place", async () => {
    const lists = [
      KNOWN,
      KNOWN.replace("line = 11 ", "line = 9 ").replace('["look.before"]', '["stop.over"]'),
      KNOWN.replaceAll("\n", "\r\n").replace("line = 12", "line = 30"),
      KNOWN.replaceAll("b.charleston", "gone.charleston"),
      "",
      "# nothing yet",
    ];
    for (const list of lists) {
      const fixed: string[] = [];
      for (const command of [OURS, PYTHON]) {
        put("lists/known.toml", list);
        const { status, complaints } = await run(command, [
          "--address",
          server.address,
          ...PATIENT,
          ...listed,
          "--fix",
        ]);
        fixed.push(kept("lists/known.toml"), complaints, String(status));
      }

      assert.deepEqual(fixed.slice(0, 3), fixed.slice(3));
    }
  });

  test("that cannot be read are a wrong question, and an entry that cannot be followed is left to people", async () => {
    const wrong = {
      "fault = 1": /two brackets/,
      "[[fault]]\nfile = 'a'": /line 1: this fault has no line/,
      "[[fault]]\nfile = 'a'\nline = 1\nrules = []\nwhy = 'x'": /at least one id/,
      "[[fault]]\nfile = 'a'\nline = 1\nrules = ['a.b']\nwhy = ' '": /its why says nothing/,
      "[other]": /there is only \[\[fault\]\], not 'other'/,
      "[[fault": /this is no TOML/,
    };
    for (const [text, said] of Object.entries(wrong)) {
      put("lists/known.toml", text);
      const { status, complaints } = await check(...listed);

      assert.equal(status, 2);
      assert.match(complaints, said);
    }
    const inline = 'fault = [{file = "../games/b.charleston", line = 11, rules = ["stop.over"], why = "x"}]\n';
    put("lists/known.toml", inline);
    const { status, complaints } = await check(...listed, "--fix");

    assert.deepEqual([status, kept("lists/known.toml")], [2, inline]);
    assert.match(complaints, /edit it by hand/);
    assert.equal((await check("games", "--fix")).status, 2);
  });
});

test("a report that cannot be written is told, and leaves nothing behind", async () => {
  const { status, complaints } = await check("games", "--junit", "nowhere/report.xml", "--json", "kept.jsonl");

  assert.equal(status, 2);
  assert.match(complaints, /^charleston-check: nowhere\/report\.xml: No such file or directory$/m);
  assert.deepEqual(readdirSync(folder).sort(), ["games", "lists"]);
});

test("nobody at the address is a sentence and status 2, and the report of the run before stays", async () => {
  put("report.xml", "before");
  const { status, complaints } = await run(OURS, [
    "--address",
    await nobody(),
    "games",
    "--junit",
    "report.xml",
    "--timeout",
    "600",
  ]);

  assert.equal(status, 2);
  assert.match(complaints, /^charleston-check: no referee can be reached at 127\.0\.0\.1:\d+: /);
  assert.equal(kept("report.xml"), "before");
});

test("what cannot be said so is told with how to say it, and help and version are there", async () => {
  const misused = [
    ["games"],
    ["--address", "x", "games"],
    ["--address", "a:1"],
    ["--what"],
    ["--address", "a:1", "--jobs", "0", "x"],
  ];
  for (const words of misused) {
    const { status, complaints } = await run(OURS, words);

    assert.equal(status, 2);
    assert.match(complaints, /^usage: charleston-check .*\ncharleston-check: .+\n$/);
  }
  const help = await run(OURS, ["--help"]);
  const version = await run(OURS, ["-V"]);

  assert.match(help.out, /exit status: 0/);
  assert.equal(
    version.out,
    `charleston-check ${(JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version}\n`,
  );
});

test("pipes are read and written in place of files", async () => {
  const command = `"${process.execPath}" "${MAIN}" --address ${server.address} ${PATIENT.join(" ")} <(cat games/b.charleston) --json /dev/stdout | cat`;
  const { out } = await run(["bash", "-c"], [command]);

  assert.match(out, /"rules":\["joker\.passed"\]/);
});

test("a reader that stops early ends the command without a word", async () => {
  cpSync(join(ROOT, "tests/real/games"), join(folder, "more"), { recursive: true });
  const command = `"${process.execPath}" "${MAIN}" --address ${server.address} ${PATIENT.join(" ")} more/*.charleston | head -n 1`;
  const { out, complaints } = await run(["bash", "-c"], [command]);

  assert.equal(out.split("\n").length, 2);
  assert.equal(complaints, "");
  rmSync(folder, { recursive: true });
});
