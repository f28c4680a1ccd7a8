/** The generated code that is checked in is what the proto files say today. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, printed } from "./support/repository.js";

function filesOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

test("generating anew gives the same files, byte for byte", () => {
  execFileSync(join(BIN, "buf"), ["generate", "--output", "build/fresh"]);
  const fresh = filesOf("build/fresh/src/gen");
  const kept = filesOf("src/gen");

  assert.equal(fresh.size, 5);
  assert.deepEqual([...kept.keys()], [...fresh.keys()]);
  for (const [name, text] of fresh) assert.ok(kept.get(name) === text, `${name}: run \`make generate-typescript\``);
});

test("google.rpc.BadRequest is the one that Google publishes", async () => {
  const where = "from google import rpc; print(next(iter(rpc.__path__)), end='')";
  const published = readFileSync(join(await printed("python", "-c", where), "error_details.proto"), "utf8");

  assert.ok(readFileSync("proto/google/rpc/error_details.proto", "utf8") === published);
});
