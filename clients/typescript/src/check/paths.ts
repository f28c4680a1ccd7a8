/** Paths as a build knows them: from the root of the repository, and as references of a URI. */

import { resolve, relative, normalize, sep } from "node:path";
import { nameOf, STDIN } from "./source.js";

/** Return a file's path from the root of the repository if the pipeline says where that is, else as it is. */
export function fromRoot(file: string): string {
  if (file === STDIN) return nameOf(file);
  const root = process.env["GITHUB_WORKSPACE"] || process.env["CI_PROJECT_DIR"];
  const inside = root && relative(root, resolve(file));
  const path = inside && !inside.startsWith("..") && !inside.startsWith(sep) ? inside : file;
  return normalize(path).split(sep).join("/");
}

/** Return a path as a URI reference. */
export function uri(file: string): string {
  const path = fromRoot(file);
  const escaped = encodeURIComponent(path)
    .replaceAll("%2F", "/")
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return path.startsWith("/") ? `file://${escaped}` : escaped;
}
