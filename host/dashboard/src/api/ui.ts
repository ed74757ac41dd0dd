/** Who looks at the page (`/me`), and what this server has to show (`/ui`). */
import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { ask } from './client.ts';

const Role = v.picklist(['viewer', 'editor', 'admin']);
export type Role = v.InferOutput<typeof Role>;

export const MeSchema = v.object({
  user: v.nullable(v.object({ id: v.string(), email: v.string(), displayName: v.string(), role: Role })),
  authEnabled: v.boolean(),
});
export type Me = v.InferOutput<typeof MeSchema>;
export type User = NonNullable<Me['user']>;

export const meQuery = queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => ask(MeSchema, '/me', { signal }), staleTime: 60_000 });

const Slot = v.object({ slot: v.string(), state: v.fallback(v.picklist(['ready', 'failed']), 'failed'), ui: v.optional(v.array(v.unknown()), []) });

export const UiSchema = v.object({
  /** An origin, without a slash at its end. */
  publicUrl: v.string(),
  serving: v.picklist(['path', 'own-origin']),
  /** False while nobody can sign in yet. */
  hasAccounts: v.optional(v.boolean(), true),
  settings: v.object({
    allowPublicLinks: v.optional(v.boolean(), false),
    allowAnonymousComments: v.optional(v.boolean(), false),
    /** Whether a mail server is set. */
    mail: v.optional(v.boolean(), false),
    /** Whether projects can be connected with repositories. */
    codeHost: v.optional(v.boolean(), false),
  }),
  /** A disabled or empty slot is absent. */
  slots: v.array(Slot),
});
export type Ui = v.InferOutput<typeof UiSchema>;

export const uiQuery = queryOptions({ queryKey: ['ui'], queryFn: ({ signal }) => ask(UiSchema, '/ui', { signal }), staleTime: 60_000 });

/** Whether the sign-in page has a way in for somebody without a link: the code host, or a link by mail. */
export function canSignIn(me: Me | undefined, ui: Ui | undefined): boolean {
  return me?.authEnabled === true || ui?.settings.mail === true;
}

export type SlotState = 'ready' | 'failed' | 'absent';

export function slotState(ui: Ui | undefined, slot: string): SlotState {
  return ui?.slots.find((each) => each.slot === slot)?.state ?? 'absent';
}
