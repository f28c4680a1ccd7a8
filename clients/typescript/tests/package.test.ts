/** The package: what it depends on, what is in it, and that it works where it is installed. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, describe, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { read } from "./support/repository.js";
import { serving } from "./support/server.js";

const run = promisify(execFile);
const TSC = resolve("node_modules/.bin/tsc");
const MANIFEST = json("package.json");

function json(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
}

describe("what it depends on", () => {
  const packages = Object.entries(json("package-lock.json")["packages"] as Record<string, Record<string, unknown>>);

  test("runs nothing when it is installed, and names no registry", () => {
    assert.ok(packages.length > 10);
    for (const [name, { hasInstallScript, resolved }] of packages) {
      assert.equal(hasInstallScript, undefined, name);
      assert.equal(resolved, undefined, name);
    }
  });

  test("is pinned exactly, with the versions that run on Node 20", () => {
    const { dependencies, devDependencies } = MANIFEST as Record<string, Record<string, string>>;

    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
    }
    for (const name of ["connect", "connect-node", "connect-web"]) {
      assert.equal(dependencies?.[`@connectrpc/${name}`], "2.1.2");
    }
  });

  test("has the version of the wheel", () => {
    assert.match(read("pyproject.toml"), new RegExp(`^version = "${String(MANIFEST["version"])}"$`, "m"));
  });
});

test("a browser gets no part of Node, and not much else", async (context) => {
  mkdirSync("build/bundles", { recursive: true });
  const entries = {
    client: 'export { RefereeClient } from "charleston-referee/web";',
    whole: 'export * from "charleston-referee"; export * from "charleston-referee/web";',
  };
  for (const [name, code] of Object.entries(entries)) writeFileSync(`build/${name}.js`, code);
  const how = ["--bundle", "--minify", "--format=esm", "--platform=browser", "--log-level=error"];
  const to = ["--outdir=build/bundles", "--metafile=build/bundles.json"];
  const esbuild = ["node_modules/esbuild-wasm/bin/esbuild", ...how, ...to];
  await run(process.execPath, [...esbuild, ...Object.keys(entries).map((name) => `build/${name}.js`)]);
  const sizes = Object.keys(entries).map((name) => {
    const code = readFileSync(`build/bundles/${name}.js`);
    context.diagnostic(`browser bundle, ${name}: ${code.length} bytes, ${gzipSync(code).length} with gzip`);
    return code.length;
  });
  const inputs = Object.keys(json("build/bundles.json")["inputs"] as object);

  assert.ok(inputs.some((path) => path.includes("connect-web")));
  assert.deepEqual(
    inputs.filter((path) => /connect-node|smol-toml|dist\/(node|check)/.test(path)),
    [],
  );
  assert.ok(Math.max(...sizes) < 200_000, `${sizes.join(" and ")} bytes`);
});

describe("what is packed", () => {
  const folder = resolve("build/consumer");
  let tarball: { filename: string; size: number; unpackedSize: number; files: { path: string }[] };

  before(async () => {
    mkdirSync(folder, { recursive: true });
    const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", "build"]);
    [tarball] = JSON.parse(stdout) as [typeof tarball];
    writeFileSync(join(folder, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }');
    const install = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", [...install, join("..", tarball.filename)], { cwd: folder });
    cpSync("tests/consumer/consumer.ts", join(folder, "consumer.ts"));
  });

  test("is the compiled code with its types, and nothing else", (context) => {
    context.diagnostic(`tarball: ${tarball.size} bytes, unpacked: ${tarball.unpackedSize} bytes`);
    const others = tarball.files.filter(
      ({ path }) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(path),
    );

    assert.deepEqual(others, []);
    for (const file of [
      "dist/index.d.ts",
      "dist/node.js",
      "dist/web.js",
      "dist/check/main.js",
      "README.md",
      "LICENSE",
    ]) {
      assert.ok(
        tarball.files.some(({ path }) => path === file),
        file,
      );
    }
  });

  for (const [module, moduleResolution] of [
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const) {
    test(`passes the strictest checks of a consumer with moduleResolution ${moduleResolution}`, async () => {
      const compilerOptions = {
        ...{ module, moduleResolution, outDir: moduleResolution, target: "es2022", lib: ["es2022", "dom"], types: [] },
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
      };
      const project = join(folder, `tsconfig.${moduleResolution}.json`);
      writeFileSync(project, JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
      const { stdout } = await run(TSC, ["-p", project]).catch((error: { stdout: string }) => error);

      assert.equal(stdout, "");
    });
  }

  test("walks a hand against a referee, and brings its command", async (context) => {
    const server = await serving();
    context.after(() => server.stop());
    const game = read("clients/examples/hand.charleston");
    const { stdout } = await run("node", ["node16/consumer.js", server.address, game], { cwd: folder });
    const checked = await run("npx", ["--no", "--", "charleston-check", "--version"], { cwd: folder });
    const lines = stdout.trimEnd().split("\n");

    assert.deepEqual([lines[0], lines.at(-1)], ["LEGAL fr", "INVALID_ARGUMENT act.seat"]);
    assert.equal(lines.length, 28);
    assert.equal(checked.stdout, `charleston-check ${String(MANIFEST["version"])}\n`);
  });
});
