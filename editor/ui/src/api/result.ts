/** What a request came to: a value, or a refusal in words. */
import * as v from 'valibot';

/** One way to go on after `choice-needed`: the same request with `option` set to `value`. */
export const ChoiceSchema = v.object({
  option: v.string(),
  value: v.union([v.string(), v.number(), v.boolean()]),
  label: v.string(),
});
export type Choice = v.InferOutput<typeof ChoiceSchema>;

export const RefusalSchema = v.object({
  ok: v.literal(false),
  code: v.optional(v.string(), 'refused'),
  reason: v.string(),
  choices: v.optional(v.array(ChoiceSchema), []),
  lane: v.optional(v.nullable(v.string()), null),
  fallback: v.optional(v.fallback(v.nullable(v.picklist(['save', 'repair'])), null)),
  suggestedSlug: v.optional(v.string()),
  /** What a provider or another program said itself. */
  words: v.optional(v.nullable(v.string())),
  /** Of what a model tried: a change that waits for a yes, and what it cost; read where they are shown. */
  proposal: v.optional(v.unknown()),
  cost: v.optional(v.unknown()),
  /** Of an undo that is not certain: the step, and what changed since. */
  editId: v.optional(v.string()),
  changed: v.optional(v.array(v.object({ path: v.string(), diff: v.string() }))),
});

/** Why something was not done. `code` is for programs, `reason` for people. */
export interface Refusal {
  code: string;
  reason: string;
  choices: Choice[];
  lane: string | null;
  /** Of an edit that a model may try: the lane it would take. */
  fallback?: 'save' | 'repair' | null | undefined;
  /** The name under which a review server would make the project it does not have. */
  suggestedSlug?: string | undefined;
  /** What a provider said itself. */
  words?: string | null | undefined;
  /** Of what a model tried; not read yet. */
  proposal?: unknown;
  cost?: unknown;
  /** Of an undo that is not certain: the step, and what changed since. */
  editId?: string | undefined;
  changed?: { path: string; diff: string }[] | undefined;
}

export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

/** A value that is asked for over the network. `stale` is what was known before. */
export type Remote<T> =
  | { is: 'idle' }
  | { is: 'loading'; stale: T | null }
  | { is: 'ready'; value: T }
  | { is: 'refused'; refusal: Refusal };

export const IDLE = { is: 'idle' } as const;

/** The value, also while a newer one is on its way. */
export function known<T>(remote: Remote<T>): T | null {
  if (remote.is === 'ready') return remote.value;
  return remote.is === 'loading' ? remote.stale : null;
}

export function loading<T>(before: Remote<T>): Remote<T> {
  return { is: 'loading', stale: known(before) };
}

export function settled<T>(result: Result<T>): Remote<T> {
  return result.ok ? { is: 'ready', value: result.value } : { is: 'refused', refusal: result.refusal };
}

export function refusal(code: string, reason: string): Refusal {
  return { code, reason, choices: [], lane: null };
}
