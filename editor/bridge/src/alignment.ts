/** Where a run of elements stands in a page that has changed: a cheapest alignment of the two orders. */

/** What a run of elements that are new or gone costs, and each of its elements. Another element in the place of one costs both. */
export const RUN = 20;
const EACH = 1;

/** More than any page costs. */
const NEVER = 1e7;

/** The tokens of a page (`PageIndex.tokens`, one character each), with one before the first: its places are as many. */
export function places(tokens: string): Uint16Array {
  return Uint16Array.from(` ${tokens}`, (token) => token.charCodeAt(0));
}

/**
 * For each place of a page, from before its first token to behind its last one: what it costs to make `run` of what ends there.
 * Yields after each token of the run.
 */
export function* costs(run: string, page: Uint16Array): Generator<undefined, Int32Array> {
  const best = new Int32Array(page.length);
  const gone = best.map(() => NEVER);
  for (let row = 0; row < run.length; row += 1) {
    align(run.charCodeAt(row), page, best, gone);
    yield undefined;
  }
  return best;
}

/** One token more: a function of its own, which engines make fast. */
function align(token: number, page: Uint16Array, best: Int32Array, gone: Int32Array): void {
  let [diagonal, left, made] = [NEVER, NEVER, NEVER];
  for (let at = 0; at < page.length; at += 1) {
    const above = best[at] as number;
    made = Math.min(made, left + RUN) + EACH;
    gone[at] = Math.min(gone[at] as number, above + RUN) + EACH;
    left = best[at] = Math.min(made, gone[at] as number, token === page[at] ? diagonal : diagonal + RUN + EACH);
    diagonal = above;
  }
}
