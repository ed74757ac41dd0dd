/** Deployments of a project: history, upload, build, log. */
import * as v from 'valibot';
import { ask } from './client.ts';

const CoverSchema = v.nullish(v.object({ title: v.nullish(v.string()), colour: v.nullish(v.string()), icon: v.nullish(v.string()) }));

export const DeploymentSchema = v.object({
  deploymentId: v.string(),
  projectId: v.string(),
  /** Counts in its project, never used again. Absent on a server that does not number yet. */
  number: v.nullish(v.number()),
  status: v.picklist(['building', 'ready', 'failed']),
  source: v.picklist(['upload', 'build']),
  commitSha: v.nullish(v.string()),
  branch: v.nullish(v.string()),
  createdAt: v.string(),
  finishedAt: v.nullish(v.string()),
  createdBy: v.nullish(v.string()),
  createdByName: v.nullish(v.string()),
  active: v.boolean(),
  fileCount: v.number(),
  sizeBytes: v.number(),
  cover: CoverSchema,
});
export type Deployment = v.InferOutput<typeof DeploymentSchema>;

const PageSchema = v.object({ deployments: v.array(DeploymentSchema), next: v.nullish(v.number()) });
export type DeploymentPage = v.InferOutput<typeof PageSchema>;

/** Deployments that a page of the history shows. */
export const PAGE_SIZE = 30;

const of = (projectId: string): string => `/projects/${encodeURIComponent(projectId)}/deployments`;
const one = (id: string): string => `/deployments/${encodeURIComponent(id)}`;

/** Newest first. `before` is the `next` of the page before. */
export function listDeployments(projectId: string, before: number | null, signal?: AbortSignal): Promise<DeploymentPage> {
  return ask(PageSchema, of(projectId), { query: { before, limit: PAGE_SIZE }, signal });
}

export function getDeployment(id: string, signal?: AbortSignal): Promise<Deployment> {
  return ask(DeploymentSchema, one(id), { signal });
}

export function startBuild(projectId: string): Promise<{ deploymentId: string }> {
  return ask(v.object({ deploymentId: v.string() }), `${of(projectId)}/build`, { method: 'POST' });
}

export function activateDeployment(id: string): Promise<Deployment> {
  return ask(DeploymentSchema, `${one(id)}/activate`, { method: 'POST' });
}

export function cancelBuild(id: string): Promise<Deployment> {
  return ask(DeploymentSchema, `${one(id)}/cancel`, { method: 'POST' });
}

export function deleteDeployment(id: string): Promise<unknown> {
  return ask(v.unknown(), one(id), { method: 'DELETE' });
}

/** Where a deployment's log streams from, behind `/api/v1`. */
export function logPath(id: string): string {
  return `${one(id)}/log/stream`;
}
