/** Telling where the elements of a changed file stood before: edits shift lines and columns. */

/** The text of what is inserted, by which it is found again. */
export const NEW = 'galley-new';

/** The nodes of a file's tree in source order: `{ src, tag, text, size }`, `size` with everything inside. */
export function flat(nodes, into = []) {
  for (const { src, tag, text, children } of nodes) {
    const at = into.push({ src, tag, text, size: 0 }) - 1;
    flat(children, into);
    into[at].size = into.length - at;
  }
  return into;
}

/**
 * From each stamp after the edit to the label of its element: its stamp before. Copies have the label of their original, what
 * is new the label `new`. Null when the file's elements are not those it should have.
 */
export function relabel(before, after, request) {
  const wanted = expected(before, after, request);
  if (!wanted || wanted.length !== after.length) return null;
  if (wanted.some(({ tag }, at) => tag !== after[at].tag)) return null;
  return new Map(after.map(({ src }, at) => [src, wanted[at].src]));
}

function expected(before, after, request) {
  const at = before.findIndex(({ src }) => src === request.src);
  if (at < 0) return before;
  const part = before.slice(at, at + before[at].size);
  const rest = before.toSpliced(at, part.length);
  switch (request.kind) {
    case 'delete':
      return rest;
    case 'duplicate':
      return before.toSpliced(at + part.length, 0, ...part);
    case 'insert':
      return inserted(before, after);
    case 'move': {
      const to = rest.findIndex(({ src }) => src === request.to);
      return to < 0 ? null : rest.toSpliced(to + rest[to].size, 0, ...part);
    }
    default:
      return before;
  }
}

/** The only element too many is the new one. */
function inserted(before, after) {
  for (let at = 0; at < after.length; at += 1) {
    const rest = after.toSpliced(at, 1);
    if (rest.length === before.length && after[at].text === NEW && rest.every(({ tag }, each) => tag === before[each].tag)) {
      return before.toSpliced(at, 0, { src: 'new', tag: after[at].tag, size: 1 });
    }
  }
  return null;
}
