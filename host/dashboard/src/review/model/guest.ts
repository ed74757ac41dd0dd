/** A visitor without an account: a name, asked for once, and an id that makes what they write theirs in this browser. */
import * as v from 'valibot';
import type { Storage } from './outbox.ts';

const KEY = 'galley:guest';
export const MAX_NAME = 100;

const GuestSchema = v.object({
  uid: v.pipe(v.string(), v.regex(/^viewer:[\w-]{8,64}$/)),
  displayName: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_NAME)),
});
export type Guest = v.InferOutput<typeof GuestSchema>;

export function readGuest(storage: Storage): Guest | null {
  try {
    const parsed = v.safeParse(GuestSchema, JSON.parse(storage.getItem(KEY) ?? 'null'));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** The visitor with this name, remembered; `null` for a name without a letter. The id of before stays. */
export function rememberGuest(storage: Storage, name: string, random: () => string): Guest | null {
  const displayName = name.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim().slice(0, MAX_NAME);
  if (displayName === '') return null;
  const guest = { uid: readGuest(storage)?.uid ?? `viewer:${random()}`, displayName };
  try {
    storage.setItem(KEY, JSON.stringify(guest));
  } catch {
    // Asked again after a reload.
  }
  return guest;
}
