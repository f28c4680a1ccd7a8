/** What the page of this package shows works: its examples are one program, type-checked, run, and print what it says. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { printed } from "./support/repository.js";
import { type Server, serving } from "./support/server.js";
import { certificate, remembering, type Stranger, translating } from "./support/stranger.js";

const run = promisify(execFile);
const FOLDER = resolve("build/examples");
const BLOCK = /^```ts\n([^]*?)^```$(?:\n+```text\n([^]*?)^```$)?/gm;
const MARK = "--- the next example";
const PAGE = readFileSync("README.md", "utf8");

let server: Server;
let secure: Stranger;
let proxy: Stranger;

before(async () => {
  mkdirSync(FOLDER, { recursive: true });
  await printed("python", "-m", "trustme", "--quiet", "--dir", FOLDER, "--identities", "referee.test");
  server = await serving();
  secure = await remembering(certificate(FOLDER), true);
  proxy = await translating(server.address);
  // The names that trustme gives are other ones than the page's.
  const names = { "client.pem": "ca.pem", "server.pem": "client.pem", "server.key": "client.key" };
  for (const [from, to] of Object.entries(names)) cpSync(resolve(FOLDER, from), resolve(FOLDER, to));
});
after(async () => {
  secure.stop();
  proxy.stop();
  await server.stop();
});

test("every example is type-checked, runs, and prints what the page says", async () => {
  const blocks = [...PAGE.matchAll(BLOCK)].map(([, code = "", said]) => ({ code, said }));
  const program = blocks
    .map(({ code }) => `${code}console.log(${JSON.stringify(MARK)});\n`)
    .join("")
    .replaceAll("127.0.0.1:50051", server.address)
    .replaceAll("referee.internal:50051", secure.address)
    .replaceAll("https://referee.example.org", proxy.address);
  writeFileSync(`${FOLDER}/readme.ts`, program);
  const compilerOptions = { rootDir: ".", outDir: "out", declaration: false, noUnusedLocals: false };
  const project = { extends: "../../tsconfig.json", compilerOptions, include: [], files: ["readme.ts"] };
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(project));
  const checked = await run("node_modules/.bin/tsc", ["-p", FOLDER]).catch((error: { stdout: string }) => error);

  assert.equal(checked.stdout, "");
  const { stdout } = await run(process.execPath, ["out/readme.js"], { cwd: FOLDER });
  const told = stdout.split(`${MARK}\n`);

  assert.equal(blocks.length, 9);
  for (const [index, { code, said }] of blocks.entries()) assert.equal(told[index], said ?? "", code);
});

test("every block of code on the page is an example or a command", () => {
  const kinds = [...PAGE.matchAll(/^```(\w+)$/gm)].map(([, kind]) => kind);

  assert.deepEqual(new Set(kinds), new Set(["ts", "text", "console"]));
});

test("the options on the page are those of the command, and the versions those of the lock", async () => {
  const { stdout } = await run(process.execPath, ["dist/check/main.js", "--help"]);
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
    string,
    Record<string, string>
  >;
  const section = PAGE.split("## Check the games of a build")[1]?.split("\n## ")[0] ?? "";
  const shown = [...section.matchAll(/--[a-z-]+/g)].map(([option]) => option);

  assert.ok(shown.length > 3);
  assert.deepEqual(
    shown.filter((option) => !stdout.includes(option)),
    [],
  );
  for (const [name, version] of Object.entries(dependencies ?? {})) {
    const short = name.replace("@connectrpc/connect-", "-");
    assert.match(PAGE, new RegExp(`^\\|[^|]*\`${short}\`[^|]*\\| ${version} \\|`, "m"), name);
  }
  assert.equal(devDependencies?.["@bufbuild/protoc-gen-es"], dependencies?.["@bufbuild/protobuf"]);
});
