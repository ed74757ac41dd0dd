/** Who can be mentioned: those in the project's directory, colleagues of the instance, and whoever has a mail address. */
import type { Person } from '@kit/mentions.ts';
import type { Participant } from '../../api/comments.ts';

/** Begins the id of somebody who is not in the directory yet: their mail address follows. */
export const MAIL = 'mail:';

const MAX_INVITED = 10;

/** A name behind an `@`, and a whole mail address. */
const ADDRESS = /(?<![\p{L}\p{N}_.])@([\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)/gu;

/** The mail addresses that a text mentions, and those that were picked by name. */
export function addressesIn(body: string, mentions: readonly string[]): string[] {
  const typed = [...body.matchAll(ADDRESS)].map(([, address = '']) => address.replace(/[.-]+$/, '').toLowerCase());
  const picked = mentions.filter((id) => id.startsWith(MAIL)).map((id) => id.slice(MAIL.length));
  return [...new Set([...typed, ...picked])].slice(0, MAX_INVITED);
}

/** The id that an address has in the directory. Who was invited by it keeps that id with an account, too. */
export function participantAt(participants: readonly Participant[], address: string): string | null {
  return participants.find(({ email }) => email?.toLowerCase() === address.toLowerCase())?.id ?? null;
}

/** Somebody with an account. */
export interface Colleague {
  displayName: string;
  email: string;
}

/** Everybody once: the directory first, then colleagues who are not in it. */
export function everybody(participants: readonly Participant[], colleagues: readonly Colleague[]): Person[] {
  const listed = new Set(participants.flatMap(({ email }) => (email === undefined ? [] : [email.toLowerCase()])));
  const others = colleagues.filter(({ email }) => !listed.has(email.toLowerCase()));
  return [...participants, ...others.map(({ displayName, email }) => ({ id: MAIL + email.toLowerCase(), displayName }))];
}
