/** `/api/git/…`. */
import * as v from 'valibot';

const word = v.optional(v.nullable(v.string()), null);

export const GitStatusSchema = v.object({
  branch: word,
  head: word,
  upstream: word,
  ahead: v.optional(v.nullable(v.number()), 0),
  behind: v.optional(v.nullable(v.number()), 0),
  /** Whether git knows who commits. */
  identity: v.optional(v.boolean(), true),
  /** What was done and is in no commit yet, the oldest first. */
  steps: v.optional(v.array(v.object({ title: v.string(), files: v.array(v.string()) })), []),
  files: v.array(v.object({ path: v.string(), state: v.string(), staged: v.optional(v.boolean(), false) })),
});
export type GitStatus = v.InferOutput<typeof GitStatusSchema>;

export const BranchesSchema = v.object({
  current: word,
  branches: v.array(
    v.object({ name: v.string(), current: v.optional(v.boolean(), false), upstream: word, subject: v.optional(v.nullable(v.string()), '') }),
  ),
});
export type Branches = v.InferOutput<typeof BranchesSchema>;

export const CommittedSchema = v.object({ commit: v.string(), subject: v.string(), files: v.array(v.string()) });

export const PublishPlanSchema = v.object({
  remote: word,
  url: word,
  branch: word,
  newBranch: v.optional(v.boolean(), false),
  commits: v.optional(v.array(v.object({ id: v.string(), subject: v.string() })), []),
  blocked: word,
});
export type PublishPlan = v.InferOutput<typeof PublishPlanSchema>;

export const PublishedSchema = v.object({ text: v.optional(v.string(), '') });
export const DiscardedSchema = v.object({ files: v.optional(v.array(v.unknown()), []) });
export const DoneSchema = v.looseObject({});
