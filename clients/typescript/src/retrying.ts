/** When a question is asked again, and when no more: the values of the service config that the Python client ships. */

/** How often one question is sent while referees are not to be reached. */
export const MOST_ATTEMPTS = 4;
/** The pause before the second attempt, in milliseconds; each one after it is longer. */
export const INITIAL_BACKOFF_MS = 50;
/** The longest pause, in milliseconds. */
export const MOST_BACKOFF_MS = 1000;
/** By how much each pause is longer than the one before. */
export const BACKOFF_MULTIPLIER = 2;
/** How many failures, less half of the answers, a client may have had before it stops to ask again. */
export const MOST_TOKENS = 100;
/** What an answer gives back of a token. */
export const TOKEN_RATIO = 0.5;
/** Of the time that is left: each attempt may take longer than the one before, and the last all that there is. */
export const SHARES = [1 / 7, 1 / 3, 1] as const;

/** Return a pause in milliseconds after so many attempts, by chance, so that not all who wait ask at once. */
export function backoff(attempts: number, chance: () => number = Math.random): number {
  return chance() * Math.min(INITIAL_BACKOFF_MS * BACKOFF_MULTIPLIER ** (attempts - 1), MOST_BACKOFF_MS);
}

/** Keeps a client from asking again and again where most of what it asks is in vain. */
export class Throttle {
  #tokens = MOST_TOKENS;

  /** Take note of an answer. */
  answered(): void {
    this.#tokens = Math.min(MOST_TOKENS, this.#tokens + TOKEN_RATIO);
  }

  /** Take note of a failure; tell whether the question may be asked again. */
  failed(): boolean {
    this.#tokens = Math.max(0, this.#tokens - 1);
    return this.#tokens > MOST_TOKENS / 2;
  }
}

/** Wait, unless the signal ends it. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener("abort", done);
  });
}
