/** Many questions on their way at once, and answered in the order in which they came. */

/** How many more are read for each that is on its way, the one itself among them. */
const AHEAD = 3;

/** Ask about what comes, at most so many at a time, and yield the answers in order; few are in memory at a time. */
export async function* inFlight<Asked, Answer>(
  questions: AsyncIterable<Asked>,
  ask: (question: Asked) => Promise<Answer>,
  most: number,
): AsyncGenerator<Answer> {
  const pending: Promise<Answer>[] = [];
  const waiting: (() => void)[] = [];
  let free = most;
  const asked = async (question: Asked): Promise<Answer> => {
    if (free) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await ask(question);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
  for await (const question of questions) {
    const answer = asked(question);
    answer.catch(() => {}); // it is told when its turn comes
    pending.push(answer);
    if (pending.length >= most * AHEAD) yield pending.shift() as Promise<Answer>;
  }
  for (const answer of pending) yield answer;
}
