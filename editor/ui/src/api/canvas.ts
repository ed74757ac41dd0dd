/** `/api/editor/canvas…`, `/api/editor/plans/…`. */
import * as v from 'valibot';

const nothing = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** A page in a width, in CSS pixels, and a colour scheme. */
const Shot = v.object({ page: v.string(), width: v.number(), scheme: v.optional(v.picklist(SCHEMES), 'light') });
export type Shot = v.InferOutput<typeof Shot>;

const Problem = v.object({ key: v.string(), words: v.string() });

/** How far a run is, or that a plan's file is another now. */
export const ProgressSchema = v.object({
  plan: v.string(),
  status: v.picklist(['running', 'done', 'stopped', 'failed', 'changed']),
  done: v.optional(v.number(), 0),
  of: v.optional(v.number(), 0),
  words: nothing(v.string()),
});
export type Progress = v.InferOutput<typeof ProgressSchema>;

const Listed = v.object({
  name: v.string(),
  shots: v.number(),
  problem: nothing(Problem),
  run: nothing(v.object({ at: v.number(), differ: v.number(), problems: v.number(), stale: v.boolean() })),
});
export type ListedPlan = v.InferOutput<typeof Listed>;

export const CanvasSchema = v.object({
  plans: v.array(Listed),
  running: nothing(ProgressSchema),
  /** Why no pictures can be taken. */
  browser: nothing(v.string()),
});
export type CanvasState = v.InferOutput<typeof CanvasSchema>;

const Kept = v.object({ picture: v.string(), width: v.number(), height: v.number(), isCut: v.optional(v.boolean(), false) });
export type Kept = v.InferOutput<typeof Kept>;

const Area = v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() });
export type Area = v.InferOutput<typeof Area>;

const ShotRun = v.object({
  ...Shot.entries,
  before: nothing(Kept),
  after: nothing(Kept),
  problem: nothing(v.string()),
  /** The share of the pixels that differ, and where they are. */
  difference: nothing(v.object({ share: v.number(), area: nothing(Area) })),
});
export type ShotRun = v.InferOutput<typeof ShotRun>;

export const PlanSchema = v.object({
  name: v.string(),
  /** Null when the file is no plan. */
  shots: nothing(v.array(Shot)),
  problem: nothing(Problem),
  hash: v.string(),
  run: nothing(v.object({ at: v.number(), stale: v.boolean(), shots: v.array(ShotRun) })),
});
export type Plan = v.InferOutput<typeof PlanSchema>;

export const DoneSchema = v.object({});

/** Where a picture of a page as it is now is taken. */
export function pictureAddress({ page, width, scheme }: Shot): string {
  return `/api/editor/canvas/picture?${new URLSearchParams({ page, width: String(width), scheme }).toString()}`;
}

export function planAddress(name: string, rest = ''): string {
  return `/api/editor/plans/${encodeURIComponent(name)}${rest}`;
}

/** Where a picture of a plan is kept. */
export function keptAddress(plan: string, { picture }: Kept): string {
  return planAddress(plan, `/pictures/${encodeURIComponent(picture)}`);
}
