/** Which known word may have been meant, by how much of two words is the same: as Ratcliff and Obershelp count it. */

const ENOUGH = 0.7;

/** Return the known word that is most like a word; undefined if none is like it. */
export function likest(word: string, known: Iterable<string>): string | undefined {
  const meant = [...word];
  let best: { likeness: number; word: string } | undefined;
  for (const name of known) {
    const likeness = alike([...name], meant);
    if (likeness < ENOUGH) continue;
    if (!best || likeness > best.likeness || (likeness === best.likeness && name > best.word)) {
      best = { likeness, word: name };
    }
  }
  return best?.word;
}

function alike(one: string[], other: string[]): number {
  const letters = one.length + other.length;
  return letters ? (2 * same(one, other)) / letters : 1;
}

/** Count the letters of the longest run that both have, and of those before and after it. */
function same(one: string[], other: string[]): number {
  const { length, at, there } = run(one, other);
  if (!length) return 0;
  return (
    same(one.slice(0, at), other.slice(0, there)) + length + same(one.slice(at + length), other.slice(there + length))
  );
}

function run(one: string[], other: string[]): { length: number; at: number; there: number } {
  let best = { length: 0, at: 0, there: 0 };
  for (let at = 0; at < one.length; at++) {
    for (let there = 0; there < other.length; there++) {
      let length = 0;
      while (at + length < one.length && there + length < other.length && one[at + length] === other[there + length]) {
        length++;
      }
      if (length > best.length) best = { length, at, there };
    }
  }
  return best;
}
