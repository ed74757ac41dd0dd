/** Reading a unified diff, for people. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'gap';
  before: number | null;
  after: number | null;
  text: string;
  /** The characters that differ from the line's counterpart, when there is one. */
  changed: { from: number; to: number } | null;
}

export interface Diff {
  lines: DiffLine[];
  added: number;
  removed: number;
  /** Set when git does not show lines, as for pictures. */
  binary: boolean;
}

export function parseDiff(text: string): Diff {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const line of text.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      if (inside) lines.push({ kind: 'gap', before: null, after: null, text: '', changed: null });
      inside = true;
      continue;
    }
    if (!inside) continue;
    const rest = line.slice(1).replace(/\r$/, '');
    if (line.startsWith('+')) lines.push({ kind: 'added', before: null, after: after++, text: rest, changed: null });
    else if (line.startsWith('-')) lines.push({ kind: 'removed', before: before++, after: null, text: rest, changed: null });
    else if (line.startsWith(' ')) lines.push({ kind: 'same', before: before++, after: after++, text: rest, changed: null });
    else if (line.startsWith('diff ')) inside = false;
  }
  pair(lines);
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return { lines, added: count('added'), removed: count('removed'), binary: !inside && /^Binary files /m.test(text) };
}

/** Marks what differs where a run of removed lines is followed by as many added ones. */
function pair(lines: DiffLine[]): void {
  for (let start = 0; start < lines.length; start++) {
    if (lines[start]?.kind !== 'removed') continue;
    let middle = start;
    while (lines[middle]?.kind === 'removed') middle++;
    let end = middle;
    while (lines[end]?.kind === 'added') end++;
    if (end - middle === middle - start) {
      for (let step = 0; step < middle - start; step++) {
        const [one, other] = [lines[start + step], lines[middle + step]];
        if (one && other) mark(one, other);
      }
    }
    start = Math.max(start, end - 1);
  }
}

function mark(one: DiffLine, other: DiffLine): void {
  const [a, b] = [one.text, other.text];
  const least = Math.min(a.length, b.length);
  let from = 0;
  while (from < least && a[from] === b[from]) from++;
  let back = 0;
  while (back < least - from && a[a.length - 1 - back] === b[b.length - 1 - back]) back++;
  // Lines that have next to nothing in common are not versions of each other.
  if (from + back < least / 4) return;
  one.changed = { from, to: a.length - back };
  other.changed = { from, to: b.length - back };
}
