/** `/api/editor/chat/…`: sessions, their turns, and the stream of one session. */
import * as v from 'valibot';

const word = v.optional(v.nullable(v.string()), null);
const number = v.optional(v.number(), 0);

/** `sure` is false where a price is not known, and the dearest of the provider was counted. */
export const CostSchema = v.object({ usd: v.number(), sure: v.optional(v.boolean(), true), input: number, output: number, cacheRead: number, cacheWrite: number });
export type Cost = v.InferOutput<typeof CostSchema>;

const SessionSchema = v.object({
  id: v.string(),
  title: v.string(),
  createdAt: v.number(),
  updatedAt: v.number(),
  status: v.fallback(v.picklist(['idle', 'running', 'waiting', 'failed']), 'idle'),
  /** The turn that runs. */
  turn: word,
  /** How many it has, the archive's included. */
  turns: number,
  cost: CostSchema,
  ceilingUsd: v.optional(v.nullable(v.number()), null),
});
export type ChatSession = v.InferOutput<typeof SessionSchema>;
/** `single`: the settings want one session. */
export const SessionsSchema = v.object({ sessions: v.array(SessionSchema), single: v.optional(v.boolean(), false) });
export type ChatSessions = v.InferOutput<typeof SessionsSchema>;
export const OneSessionSchema = v.object({ session: SessionSchema });

/** An element that a turn is about. */
const ChipSchema = v.object({ src: v.string(), sourceHash: v.exactOptional(v.string()), label: v.exactOptional(v.string()) });
export type Chip = v.InferOutput<typeof ChipSchema>;

const Taken = v.object({ taken: v.array(v.object({ path: v.string() })), left: v.optional(v.array(v.object({ path: v.string(), why: v.string() })), []) });

const n = v.number();
const Known = v.variant('type', [
  v.object({ n, type: v.picklist(['text', 'thinking']), text: v.string() }),
  v.object({ n, type: v.literal('tool'), tool: v.string(), title: v.string(), server: word, status: v.fallback(v.picklist(['running', 'done', 'failed', 'refused']), 'done'), detail: word }),
  v.object({
    n,
    type: v.literal('edit'),
    editId: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
    title: v.string(),
    files: v.array(v.object({ path: v.string(), diff: v.optional(v.nullable(v.string()), '') })),
    by: v.optional(v.string(), 'edit'),
    /** Pictures of the page, as addresses of the program. */
    before: word,
    after: word,
  }),
  v.object({ n, type: v.literal('approval'), approval: v.string(), about: v.optional(v.string(), 'tool'), title: v.string(), detail: v.optional(v.string(), ''), choices: v.array(v.string()), answer: word }),
  v.object({ n, type: v.literal('notice'), level: v.fallback(v.picklist(['info', 'warning', 'error']), 'info'), code: v.optional(v.string(), ''), words: v.string() }),
  v.object({ n, type: v.literal('conventions'), ...Taken.entries }),
]);
/** What a later version says and this one cannot show keeps its number. */
const ItemSchema = v.union([Known, v.pipe(v.object({ n, type: v.string() }), v.transform((item) => ({ n: item.n, type: 'other' as const })))]);
export type Item = v.InferOutput<typeof ItemSchema>;
export type ItemOf<T extends Item['type']> = Extract<Item, { type: T }>;

const FailureSchema = v.object({ kind: v.string(), words: v.string(), retrySeconds: v.optional(v.nullable(v.number()), null), subscription: v.optional(v.boolean(), false) });
export type Failure = v.InferOutput<typeof FailureSchema>;

const TurnSchema = v.object({
  id: v.string(),
  at: v.number(),
  endedAt: v.optional(v.nullable(v.number()), null),
  text: v.string(),
  selection: v.optional(v.array(ChipSchema), []),
  page: word,
  model: word,
  status: v.fallback(v.picklist(['running', 'waiting', 'done', 'stopped', 'failed']), 'done'),
  failure: v.optional(v.nullable(FailureSchema), null),
  items: v.optional(v.array(ItemSchema), []),
  cost: v.optional(v.nullable(CostSchema), null),
  edits: v.optional(v.array(v.pipe(v.union([v.string(), v.number()]), v.transform(String))), []),
  undone: v.optional(v.boolean(), false),
  goal: v.optional(v.nullable(v.object({ verdict: v.fallback(v.picklist(['reached', 'not-reached', 'unclear']), 'unclear'), why: v.optional(v.string(), '') })), null),
});
export type Turn = v.InferOutput<typeof TurnSchema>;

/** The newest turns, or those before one; the oldest first. `seq` numbers the last event that is in it. */
export const ThreadSchema = v.object({ session: SessionSchema, turns: v.array(TurnSchema), more: v.optional(v.boolean(), false), seq: v.optional(v.number(), 0) });
export const StartedSchema = v.object({ session: SessionSchema, turn: TurnSchema, seq: v.optional(v.number(), 0) });
export const TurnUndoneSchema = v.object({ turn: v.optional(TurnSchema), files: v.optional(v.array(v.object({ path: v.string() })), []) });

/** What the stream of a session tells. */
export type ChatEvent =
  | { event: 'snapshot'; data: { session: ChatSession; turn: Turn | null; seq: number } }
  | { event: 'session'; data: { session: ChatSession } }
  | { event: 'turn'; data: { turn: Turn } }
  | { event: 'item'; data: { turn: string; item: Item } }
  | { event: 'delta'; data: { turn: string; n: number; text: string } }
  | { event: 'deleted' }
  /** An event of a later version: its number counts. */
  | { event: 'other' };

const Schemas = {
  snapshot: v.object({ session: SessionSchema, turn: v.optional(v.nullable(TurnSchema), null), seq: v.number() }),
  session: v.object({ session: SessionSchema }),
  turn: v.object({ turn: TurnSchema }),
  item: v.object({ turn: v.string(), item: ItemSchema }),
  delta: v.object({ turn: v.string(), n, text: v.string() }),
};

export function parseChatEvent(name: string, text: string): ChatEvent {
  if (name === 'deleted') return { event: 'deleted' };
  if (!Object.hasOwn(Schemas, name)) return { event: 'other' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { event: 'other' };
  }
  const parsed = v.safeParse(Schemas[name as keyof typeof Schemas], json);
  // The name decides the schema, which TypeScript cannot follow through the table.
  return parsed.success ? ({ event: name, data: parsed.output } as ChatEvent) : { event: 'other' };
}

export function sessionPath(id: string): string {
  return `/api/editor/chat/sessions/${encodeURIComponent(id)}`;
}
