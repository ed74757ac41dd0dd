/**
 * What the prototype's frame says. A prototype runs foreign script and can say anything: each message is parsed and bounded
 * here, and shown as text only.
 */
import type { Anchor } from '@kit/anchor.ts';
import { MAX_PINS, type FromReviewed, type ReviewMode } from '@kit/review.ts';
import * as v from 'valibot';

const MAX_TEXT = 2_000;
const MAX_ANCHOR = 8 * 1024;

/** A text; what is too long is cut, not refused. */
const text = (most: number) =>
  v.pipe(
    v.string(),
    v.transform((value) => value.slice(0, most)),
  );
const coordinate = v.pipe(v.number(), v.finite());
const BoxSchema = v.object({ x: coordinate, y: coordinate, width: coordinate, height: coordinate });
/** Only passed on to the server, which keeps it as it came. */
const AnchorSchema = v.pipe(
  v.custom<Anchor>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  v.check((value) => new TextEncoder().encode(JSON.stringify(value)).length <= MAX_ANCHOR),
);
const ScoreSchema = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const PlacedPinSchema = v.object({
  id: v.pipe(v.string(), v.maxLength(128)),
  state: v.picklist(['exact', 'moved', 'selector', 'detached', 'hidden', 'elsewhere', 'searching']),
  score: v.nullable(ScoreSchema),
  rect: v.nullable(BoxSchema),
  guess: v.nullable(v.object({ text: text(200), score: ScoreSchema, rect: BoxSchema })),
});

const ClaimSchema = v.variant('type', [
  v.object({ type: v.literal('review:ready'), version: v.number(), page: text(MAX_TEXT), title: text(200), started: v.boolean(), deployment: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(128))), null) }),
  v.object({ type: v.literal('review:page'), page: text(MAX_TEXT), title: text(200) }),
  v.object({
    type: v.literal('review:placed'),
    selector: v.pipe(v.string(), v.maxLength(MAX_TEXT)),
    anchor: AnchorSchema,
    rect: BoxSchema,
    page: v.pipe(v.string(), v.maxLength(MAX_TEXT)),
    label: text(80),
    id: v.optional(v.pipe(v.string(), v.maxLength(128))),
  }),
  v.object({ type: v.literal('review:pins'), pins: v.pipe(v.array(PlacedPinSchema), v.maxLength(MAX_PINS)) }),
  v.object({ type: v.literal('review:scroll'), y: v.pipe(coordinate, v.minValue(0)), max: v.pipe(coordinate, v.minValue(0)) }),
  v.object({ type: v.literal('review:pin'), id: v.pipe(v.string(), v.maxLength(128)) }),
  v.object({ type: v.literal('review:key'), key: v.pipe(v.string(), v.maxLength(20)), meta: v.boolean(), ctrl: v.boolean(), shift: v.boolean(), alt: v.boolean() }),
  v.object({ type: v.literal('review:error'), message: text(500) }),
]);

/** The message, or `undefined` for anything else. */
export function parseClaim(data: unknown): FromReviewed | undefined {
  const parsed = v.safeParse(ClaimSchema, data);
  return parsed.success ? (parsed.output as FromReviewed) : undefined;
}

/** What the reader has asked the frame for. */
export interface Asked {
  mode: ReviewMode;
  /** The comment whose new element the reader is about to choose. */
  repinning: string | null;
  /** The comment whose best guess the reader took. */
  guessed: string | null;
}

/** What a `review:placed` is for: a new comment, or one (`again`) to pin again. `null` when the reader asked for no place. */
export function placedFor(id: string | undefined, { mode, repinning, guessed }: Asked): 'new' | { again: string } | null {
  if (id !== undefined) return id === guessed ? { again: id } : null;
  if (mode !== 'comment') return null;
  return repinning === null ? 'new' : { again: repinning };
}

const MAX_A_SECOND = 60;

/** Lets so many messages a second through: a frame that floods costs nothing more. */
export function makeThrottle(most = MAX_A_SECOND, now: () => number = Date.now): () => boolean {
  let [second, count] = [0, 0];
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, count] = [current, 0];
    count += 1;
    return count <= most;
  };
}
