/** `/api/models` and `/api/editor/llm-fallback`. */
import * as v from 'valibot';
import { EditedSchema, type EditRequest } from './edit.ts';

const word = v.optional(v.nullable(v.string()), null);

const ProviderSchema = v.object({
  id: v.string(),
  name: v.string(),
  /** Where its key comes from; the key itself is never told. */
  key: v.optional(v.nullable(v.object({ source: v.fallback(v.picklist(['environment', 'stored']), 'stored') })), null),
  /** The variable that a key can stand in. */
  variable: v.string(),
  model: word,
  defaultModel: word,
  /** The variable that decides it now. */
  modelVariable: word,
  baseUrl: word,
  defaultBaseUrl: word,
  baseUrlVariable: word,
});
export type Provider = v.InferOutput<typeof ProviderSchema>;

export const ModelsSchema = v.object({
  provider: v.string(),
  ready: v.optional(v.boolean(), false),
  /** The vendor's program answers instead of a key. */
  subscription: v.optional(v.boolean(), false),
  /** What is said where a key is missing. */
  missing: word,
  /** Why the file of keys is not used. */
  problem: word,
  providers: v.array(ProviderSchema),
  providerVariable: word,
  /** What the provider offers, where it was asked. */
  models: v.optional(v.array(v.string()), []),
});
export type Models = v.InferOutput<typeof ModelsSchema>;

export const AvailableSchema = v.object({ models: v.array(v.string()) });

/** What is changed: `null` forgets a key, and takes the usual model or address. */
export interface ModelsChange {
  provider: string;
  key?: string | null;
  model?: string | null;
  baseUrl?: string | null;
}

const CostSchema = v.object({ usd: v.number(), estimated: v.optional(v.boolean(), false), inputTokens: v.optional(v.number(), 0), outputTokens: v.optional(v.number(), 0) });
export type LaneCost = v.InferOutput<typeof CostSchema>;

const files = v.array(v.object({ path: v.string(), diff: v.optional(v.nullable(v.string()), '') }));

/** What a model did. Without a lane the engine could do it for certain after all. */
export const TriedSchema = v.object({
  ...EditedSchema.entries,
  lane: word,
  why: v.optional(v.nullable(v.string()), ''),
  verified: word,
  cost: v.optional(v.nullable(CostSchema), null),
});
export type Tried = v.InferOutput<typeof TriedSchema>;

/** A change that no page could confirm: it waits for a yes. */
export const ProposalSchema = v.object({ id: v.string(), files, why: v.optional(v.nullable(v.string()), '') });
export type Proposal = v.InferOutput<typeof ProposalSchema>;

/** What a refusal of a model says beside its reason. */
export const RefusedTrySchema = v.object({
  proposal: v.optional(v.nullable(ProposalSchema), null),
  cost: v.optional(v.nullable(CostSchema), null),
});

/** The body of the edit that was refused. The ticket comes back in events; `page` is the path that shows the element. */
export type TryRequest = EditRequest & { ticket: string; page?: string };

export const LaneEventSchema = v.object({
  ticket: v.optional(v.nullable(v.string()), null),
  lane: word,
  step: v.fallback(v.picklist(['asking', 'checking', 'looking', 'again']), 'asking'),
  calls: v.optional(v.number(), 0),
  usd: v.optional(v.number(), 0),
});
export type LaneEvent = v.InferOutput<typeof LaneEventSchema>;
