/** Naming people in a comment: `@` and their name in its text, their ids beside it. */

/** Somebody whom a comment can mention. Who is `pending` was invited and has not written yet. */
export interface Person {
  id: string;
  displayName: string;
  status?: string;
}

/** What is being typed after an `@` that stands at the caret. */
export interface Mentioning {
  /** Where the `@` stands. */
  from: number;
  typed: string;
}

/** More is no name any more. */
const LONGEST = 60;

/** The mention at the caret, when one is being typed: an address like `a@b` is none. */
export function mentioningAt(text: string, caret: number): Mentioning | null {
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  const found = /(?:^|[^\p{L}\p{N}_.])@([^@\n]*)$/u.exec(before);
  if (!found) return null;
  const typed = found[1] ?? '';
  return { from: caret - typed.length - 1, typed };
}

/** Whom `typed` may begin: the beginning of the name or of one of its words. */
export function matchingPeople<P extends Person>(people: readonly P[], typed: string): P[] {
  const wanted = typed.toLowerCase();
  return people.filter(({ displayName }) => {
    const name = displayName.toLowerCase();
    return name.startsWith(wanted) || name.split(/\s+/).some((word) => word.startsWith(wanted));
  });
}

/** The text with the name in place of what was typed, and where the caret goes. */
export function withMention(text: string, { from, typed }: Mentioning, name: string): { text: string; caret: number } {
  const rest = text.slice(from + 1 + typed.length);
  const mention = `@${name}${rest.startsWith(' ') ? '' : ' '}`;
  return { text: text.slice(0, from) + mention + rest, caret: from + mention.length + (rest.startsWith(' ') ? 1 : 0) };
}

/** A piece of a comment: plain, or the name of somebody. */
export interface Piece {
  text: string;
  person: Person | null;
}

/** A comment's text with the people it names. Of names that begin alike the longest counts. */
export function piecesOf(text: string, people: readonly Person[]): Piece[] {
  const byLength = [...people].sort((a, b) => b.displayName.length - a.displayName.length);
  const pieces: Piece[] = [];
  let plain = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const named = byLength.find(({ displayName }) => displayName !== '' && text.startsWith(displayName, at + 1) && !/[\p{L}\p{N}_]/u.test(text.charAt(at + 1 + displayName.length)));
    if (!named) continue;
    if (at > plain) pieces.push({ text: text.slice(plain, at), person: null });
    plain = at + 1 + named.displayName.length;
    pieces.push({ text: text.slice(at, plain), person: named });
    at = plain - 1;
  }
  if (plain < text.length) pieces.push({ text: text.slice(plain), person: null });
  return pieces;
}

/**
 * The ids of those a comment names. Of several with one name those that were picked from the list are meant; a name that was
 * only typed, and that several have, means nobody.
 */
export function mentionedIn(text: string, people: readonly Person[], picked: readonly Person[]): string[] {
  const ids = new Set<string>();
  for (const { person } of piecesOf(text, people)) {
    if (!person) continue;
    const alike = people.filter(({ displayName }) => displayName === person.displayName);
    const meant = alike.length === 1 ? alike : alike.filter(({ id }) => picked.some((each) => each.id === id));
    for (const { id } of meant) ids.add(id);
  }
  return [...ids];
}
