/** Referees of this repository, each a process of its own on a free port. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { BIN, ROOT } from "./repository.js";

/** A referee that serves. */
export interface Server {
  readonly address: string;
  /** Send it a signal. */
  signal(signal: NodeJS.Signals): void;
  /** Wait until it has ended. */
  ended(): Promise<void>;
  /** Stop it, if it still serves. */
  stop(): Promise<void>;
}

/** Start a referee; it listens on a free port unless the options say. */
export async function serving(...options: string[]): Promise<Server> {
  const words = ["serve", "--listen", "127.0.0.1:0", "--metrics", "", "--log", "off", ...options];
  const child = spawn(join(BIN, "referee"), words, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL")); // also after a test that failed before it stopped this
  const address = await opened(child);
  child.unref();
  const ended = async () => {
    child.ref();
    await gone;
  };
  const stop = () => {
    child.kill("SIGKILL"); // how it drains is for other tests, and some of these have made it stand still
    return ended();
  };
  return { address, signal: (signal) => child.kill(signal), ended, stop };
}

/** Read the first line, which says where it serves. */
async function opened(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("nothing can be read");
  for await (const line of createInterface(child.stdout)) {
    child.stdout.resume();
    (child.stdout as Socket).unref();
    return (JSON.parse(line) as { address: string }).address;
  }
  throw new Error("the referee did not start");
}
