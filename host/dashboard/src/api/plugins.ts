/** What fills the slots of this instance, and what an admin may do with it. */
import * as v from 'valibot';
import { ask } from './client.ts';

const PluginSchema = v.object({
  slot: v.string(),
  id: v.string(),
  version: v.string(),
  sha256: v.string(),
  enabled: v.boolean(),
  bundled: v.boolean(),
  state: v.picklist(['serving', 'failed', 'tripped', 'disabled', 'waiting']),
  problem: v.nullish(v.string()),
  publisher: v.nullish(v.string()),
  source: v.nullish(v.string()),
  /** What it was approved for, in sentences that begin behind its name. */
  may: v.nullish(v.array(v.string())),
  calls: v.nullish(v.number()),
  errors: v.nullish(v.number()),
  p99Ms: v.nullish(v.number()),
  memoryBytes: v.nullish(v.number()),
  instances: v.nullish(v.number()),
  jobs: v.optional(v.array(v.object({ name: v.string(), when: v.string(), dueAt: v.nullish(v.string()), ranAt: v.nullish(v.string()), failures: v.number(), reason: v.nullish(v.string()) })), []),
});
export type Plugin = v.InferOutput<typeof PluginSchema>;

const LineSchema = v.object({ change: v.picklist(['added', 'removed', 'same']), power: v.boolean(), text: v.string() });
export const ReviewSchema = v.object({
  slot: v.string(),
  id: v.string(),
  version: v.string(),
  sha256: v.string(),
  size: v.number(),
  publisher: v.nullish(v.string()),
  contract: v.nullish(v.string()),
  source: v.nullish(v.string()),
  replaces: v.nullish(v.string()),
  lines: v.array(LineSchema),
});
/** What a plugin is and may do, in sentences, beside what fills its slot now. */
export type Review = v.InferOutput<typeof ReviewSchema>;

const OutcomeSchema = v.object({ slot: v.string(), state: v.nullish(v.string()), version: v.nullish(v.string()), message: v.nullish(v.string()), review: v.nullish(v.unknown()) });
export type Outcome = v.InferOutput<typeof OutcomeSchema>;

const PastSchema = v.object({ version: v.string(), sha256: v.string(), source: v.nullish(v.string()), since: v.nullish(v.string()), bundled: v.optional(v.boolean(), false) });
const HistorySchema = v.object({ present: v.nullish(PastSchema), before: v.array(PastSchema) });
export type PastPlugin = v.InferOutput<typeof PastSchema>;
export type PluginHistory = v.InferOutput<typeof HistorySchema>;

const ValueSchema = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const ConfigSchema = v.object({
  settings: v.record(v.string(), v.string()),
  secrets: v.array(v.string()),
  declared: v.optional(v.array(v.object({ key: v.string(), type: v.picklist(['text', 'number', 'boolean', 'secret']), words: v.string(), default: v.nullish(ValueSchema), value: v.nullish(ValueSchema), isSet: v.boolean() })), []),
});
export type PluginConfig = v.InferOutput<typeof ConfigSchema>;

const LimitsSchema = v.object({ limits: v.record(v.string(), v.union([v.string(), v.number()])) });

const EventSchema = v.object({ id: v.number(), topic: v.string(), attempts: v.number(), publishedAt: v.nullish(v.number()), setAsideAt: v.nullish(v.number()), reason: v.string(), isRetried: v.nullish(v.boolean()) });
export type MissedEvent = v.InferOutput<typeof EventSchema>;

const at = (slot: string): string => `/instance/plugins/${encodeURIComponent(slot)}`;

export async function listPlugins(signal?: AbortSignal): Promise<Plugin[]> {
  return (await ask(v.object({ plugins: v.array(PluginSchema) }), '/instance/plugins', { signal })).plugins;
}
/** Stages a file; nothing of it runs. */
export async function stagePlugin(file: File, signal?: AbortSignal): Promise<string> {
  const path = '/instance/plugins/artifacts';
  return (await ask(v.object({ sha256: v.string() }), path, { method: 'POST', file, headers: { 'content-type': 'application/wasm' }, query: { name: file.name }, signal })).sha256;
}

export interface Fill {
  sha256: string;
  approved?: boolean;
  adoptData?: boolean;
  freshData?: boolean;
  replaces?: string;
  source?: string;
}
/** Puts a staged artifact into its slot. Without `approved` a refusal carries the review. */
export function installPlugin(fill: Fill): Promise<Outcome> {
  return ask(OutcomeSchema, '/instance/plugins', { method: 'POST', body: fill });
}
export function updatePlugin(slot: string, fill: Fill): Promise<Outcome> {
  return ask(OutcomeSchema, `${at(slot)}/update`, { method: 'POST', body: fill });
}
export function rollbackPlugin(slot: string, how: { bundled?: boolean; loseWrites?: boolean }): Promise<Outcome> {
  return ask(OutcomeSchema, `${at(slot)}/rollback`, { method: 'POST', body: how });
}
export function enablePlugin(slot: string): Promise<Outcome> {
  return ask(OutcomeSchema, `${at(slot)}/enable`, { method: 'POST' });
}
export function disablePlugin(slot: string): Promise<Outcome> {
  return ask(OutcomeSchema, `${at(slot)}/disable`, { method: 'POST' });
}
export function removePlugin(slot: string, purge: boolean): Promise<Outcome> {
  return ask(OutcomeSchema, at(slot), { method: 'DELETE', query: { purge: purge ? 'true' : null } });
}
export function getPluginHistory(slot: string, signal?: AbortSignal): Promise<PluginHistory> {
  return ask(HistorySchema, `${at(slot)}/history`, { signal });
}
export async function getPluginLimits(slot: string, signal?: AbortSignal): Promise<Record<string, string | number>> {
  return (await ask(LimitsSchema, `${at(slot)}/limits`, { signal })).limits;
}
export async function setPluginLimits(slot: string, limits: Record<string, string>): Promise<Record<string, string | number>> {
  return (await ask(LimitsSchema, `${at(slot)}/limits`, { method: 'PATCH', body: limits })).limits;
}
export function getPluginConfig(slot: string, signal?: AbortSignal): Promise<PluginConfig> {
  return ask(ConfigSchema, `${at(slot)}/config`, { signal });
}
export function setPluginConfig(slot: string, change: { settings?: Record<string, string>; secrets?: Record<string, string> }): Promise<PluginConfig> {
  return ask(ConfigSchema, `${at(slot)}/config`, { method: 'PATCH', body: change });
}
export async function listMissedEvents(slot: string, signal?: AbortSignal): Promise<MissedEvent[]> {
  return (await ask(v.object({ events: v.array(EventSchema) }), `${at(slot)}/events`, { signal })).events;
}
export function retryEvent(slot: string, id: number): Promise<unknown> {
  return ask(v.unknown(), `${at(slot)}/events/${id}/retry`, { method: 'POST' });
}
export function dropEvent(slot: string, id: number): Promise<unknown> {
  return ask(v.unknown(), `${at(slot)}/events/${id}`, { method: 'DELETE' });
}
