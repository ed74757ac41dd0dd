/** Counts what became of pins, and holds the goals. */

/** In percent of the pins whose element is there; `placed` of those whose element is gone. */
export const GOALS = {
  'Vite app, same build': { right: 100, wrong: 0, exact: 100 },
  'Vite app, next build': { right: 50, wrong: 0, placed: 0 },
  'same build': { right: 100, wrong: 0, exact: 100 },
  '4 %': { right: 90, wrong: 0.5, placed: 1 },
  '16 %': { right: 60, wrong: 1, placed: 1 },
};

/** A short run has few pins: one of them is a percent. */
export const LOOSE = {
  ...GOALS,
  'same build': { right: 100, wrong: 0, exact: 100 },
  '4 %': { right: 80, wrong: 3, placed: 6 },
  '16 %': { right: 55, wrong: 4, placed: 6 },
};

/** In milliseconds. */
const TIMES = { unchanged: 50, searched: 1_500, longest: 50 };

/** What took too long; `slack` is for machines that do other things too. */
export function tooSlow({ unchanged, searched }, slack) {
  return [
    unchanged.total > TIMES.unchanged * slack && `unchanged: ${unchanged.total} ms, more than ${TIMES.unchanged}`,
    searched.total > TIMES.searched * slack && `searched: ${searched.total} ms, more than ${TIMES.searched}`,
    Math.max(unchanged.longest, searched.longest) > TIMES.longest * slack && `a piece of ${Math.max(unchanged.longest, searched.longest)} ms, more than ${TIMES.longest}`,
  ].filter(Boolean);
}

const EMPTY = { right: 0, wrong: 0, lost: 0, away: 0, placed: 0, exact: 0 };

export class Tally {
  #kinds = new Map();
  #skipped = [];
  #pages = new Set();
  #elements = [];
  notes = [];

  add(kind, path, seed, { elements, judged }) {
    const counts = this.#kinds.get(kind) ?? { scored: { ...EMPTY }, alone: { ...EMPTY } };
    this.#kinds.set(kind, counts);
    this.#pages.add(path);
    this.#elements.push(elements);
    for (const { verdict, selectorAlone, state, ...rest } of judged) {
      counts.scored[verdict] += 1;
      counts.alone[selectorAlone] += 1;
      if (verdict === 'right' && state === 'exact') counts.scored.exact += 1;
      if (verdict !== 'right' && verdict !== 'away') this.notes.push({ kind, path, seed, verdict, state, ...rest });
    }
  }

  skipped(path, error) {
    this.#skipped.push(`${path}: ${String(error.message ?? error).split('\n')[0]}`);
  }

  report() {
    const median = this.#elements.sort((one, other) => one - other)[this.#elements.length >> 1];
    const lines = [`${this.#pages.size} pages, median ${median} elements`, '| of all pins, in % | right | wrong | lost | gone: pinned elsewhere | by the selector alone |', '|---|---|---|---|---|---|'];
    for (const [kind, { scored, alone }] of this.#kinds) {
      const [mine, other] = [shares(scored), shares(alone)];
      lines.push(`| ${kind}, ${mine.pins} pins | ${mine.right} | ${mine.wrong} | ${mine.lost} | ${mine.placed} of ${mine.gone} | ${other.right} / ${other.wrong} / ${other.lost}, ${other.placed} |`);
    }
    for (const line of this.#skipped) lines.push(`skipped ${line}`);
    return lines.join('\n');
  }

  missed(goals) {
    return [...this.#kinds].flatMap(([kind, { scored }]) => {
      const { right, wrong, placed, exact } = shares(scored);
      const goal = goals[kind] ?? {};
      return [
        right < goal.right && `${kind}: ${right} % right, not ${goal.right}`,
        wrong > goal.wrong && `${kind}: ${wrong} % wrong, more than ${goal.wrong}`,
        placed > goal.placed && `${kind}: ${placed} % of those that are gone are pinned elsewhere, more than ${goal.placed}`,
        exact < goal.exact && `${kind}: ${exact} % exact, not ${goal.exact}`,
      ].filter(Boolean);
    });
  }
}

function shares({ right, wrong, lost, away, placed, exact }) {
  const [pins, gone] = [right + wrong + lost, away + placed];
  const percent = (part, whole) => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10);
  return { pins, gone, right: percent(right, pins), wrong: percent(wrong, pins), lost: percent(lost, pins), placed: percent(placed, gone), exact: percent(exact, pins) };
}
