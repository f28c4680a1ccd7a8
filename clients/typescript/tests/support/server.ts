/** Referees of this repository, each a process of its own on a free port. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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
  const address = await opened(child);
  return {
    address,
    signal: (signal) => child.kill(signal),
    ended: async () => void (await gone),
    stop: async () => {
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** Read the first line, which says where it serves. */
async function opened(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("nothing can be read");
  for await (const line of createInterface(child.stdout)) {
    child.stdout.resume();
    return (JSON.parse(line) as { address: string }).address;
  }
  throw new Error("the referee did not start");
}
