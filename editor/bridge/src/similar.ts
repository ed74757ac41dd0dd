/** How alike two texts are. */

/** The bigrams of texts, kept as long as one page is compared. */
export class Similarity {
  readonly #bigrams = new Map<string, Uint32Array>();

  /** From 0 to 1: the squared share of bigrams that both have. Upper and lower case are the same. */
  of(one: string, other: string): number {
    if (one === other) return 1;
    const [a, b] = [this.#bigramsOf(one), this.#bigramsOf(other)];
    const total = a.length + b.length;
    if (total === 0 || a.length === 0 || b.length === 0) return 0;
    let common = 0;
    for (let i = 0, j = 0; i < a.length && j < b.length; ) {
      const [left, right] = [a[i] ?? 0, b[j] ?? 0];
      if (left === right) common += 1;
      if (left <= right) i += 1;
      if (right <= left) j += 1;
    }
    return ((2 * common) / total) ** 2;
  }

  #bigramsOf(text: string): Uint32Array {
    const known = this.#bigrams.get(text);
    if (known) return known;
    const lower = text.toLowerCase();
    const made = new Uint32Array(Math.max(0, lower.length - 1));
    for (let at = 0; at < made.length; at += 1) made[at] = lower.charCodeAt(at) * 65536 + lower.charCodeAt(at + 1);
    made.sort();
    this.#bigrams.set(text, made);
    return made;
  }
}
