/** What belongs to whoever is signed in: profile, tokens, sessions, mail. */
import * as v from 'valibot';
import { ask } from './client.ts';

const TokenSchema = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.picklist(['read', 'write'])),
  createdAt: v.string(),
  lastUsedAt: v.nullish(v.string()),
  expiresAt: v.nullish(v.string()),
});
export type Token = v.InferOutput<typeof TokenSchema>;
const NewTokenSchema = v.object({ ...TokenSchema.entries, token: v.string() });
/** A token with its plaintext, which is told once. */
export type NewToken = v.InferOutput<typeof NewTokenSchema>;

const SessionSchema = v.object({ id: v.string(), browser: v.nullish(v.string()), createdAt: v.nullish(v.string()), lastSeenAt: v.nullish(v.string()), current: v.boolean() });
export type Session = v.InferOutput<typeof SessionSchema>;

const MailChoiceSchema = v.object({ mentions: v.boolean(), configured: v.nullish(v.boolean()) });
export type MailChoice = v.InferOutput<typeof MailChoiceSchema>;

export async function listTokens(signal?: AbortSignal): Promise<Token[]> {
  return (await ask(v.object({ tokens: v.array(TokenSchema) }), '/tokens', { signal })).tokens;
}
export function makeToken(wanted: { name: string; scopes: string[]; expiresInDays?: number }): Promise<NewToken> {
  return ask(NewTokenSchema, '/tokens', { method: 'POST', body: wanted });
}
export function revokeToken(id: string): Promise<unknown> {
  return ask(v.unknown(), `/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

export async function listSessions(signal?: AbortSignal): Promise<Session[]> {
  return (await ask(v.object({ sessions: v.array(SessionSchema) }), '/me/sessions', { signal })).sessions;
}
export function endSession(id: string): Promise<unknown> {
  return ask(v.unknown(), `/me/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}
export function signOutEverywhere(): Promise<unknown> {
  return ask(v.unknown(), '/auth/logout/all', { method: 'POST' });
}

export function rename(displayName: string): Promise<unknown> {
  return ask(v.unknown(), '/me', { method: 'PATCH', body: { displayName } });
}

export function getMailChoice(signal?: AbortSignal): Promise<MailChoice> {
  return ask(MailChoiceSchema, '/me/mail', { signal });
}
export function setMailChoice(mentions: boolean): Promise<MailChoice> {
  return ask(MailChoiceSchema, '/me/mail', { method: 'PUT', body: { mentions } });
}
