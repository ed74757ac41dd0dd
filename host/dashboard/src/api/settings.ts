/** Settings of one project: name, access, the access list, its repository, deleting it. */
import * as v from 'valibot';
import { ask } from './client.ts';

export const AccessSchema = v.picklist(['all-members', 'invited', 'public-link']);
export type Access = v.InferOutput<typeof AccessSchema>;

const RoleSchema = v.picklist(['viewer', 'editor', 'admin']);

/** Who can read a project now. */
const ReadersSchema = v.object({
  access: AccessSchema,
  everybody: v.boolean(),
  people: v.array(v.object({ userId: v.string(), displayName: v.string(), email: v.nullish(v.string()), role: RoleSchema, by: v.picklist(['admin', 'list', 'member']) })),
});
export type Readers = v.InferOutput<typeof ReadersSchema>;

const MemberSchema = v.object({ userId: v.string(), displayName: v.string(), email: v.nullish(v.string()) });
export type ProjectMember = v.InferOutput<typeof MemberSchema>;

const PersonSchema = v.object({ userId: v.string(), displayName: v.string(), email: v.string(), role: RoleSchema });
export type Person = v.InferOutput<typeof PersonSchema>;

const ConnectionSchema = v.object({
  installationId: v.number(),
  repositoryId: v.nullish(v.number()),
  owner: v.string(),
  name: v.string(),
  branch: v.string(),
  installCommand: v.nullish(v.string()),
  buildCommand: v.nullish(v.string()),
  outputDir: v.string(),
  autoDeploy: v.boolean(),
  /** Why the repository cannot be reached now, in the code host's words. */
  problem: v.nullish(v.string()),
});
export type Connection = v.InferOutput<typeof ConnectionSchema>;

/** What `PUT …/repo` takes. */
export interface WantedConnection {
  installationId: number;
  owner: string;
  name: string;
  branch?: string | null;
  installCommand?: string | null;
  buildCommand?: string | null;
  outputDir?: string | null;
  autoDeploy?: boolean | null;
}

const ProjectSettingsSchema = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  repoUrl: v.nullish(v.string()),
  access: AccessSchema,
  url: v.string(),
  openUrl: v.nullish(v.string()),
  createdAt: v.string(),
  activeDeploymentId: v.nullish(v.string()),
  repo: v.nullish(ConnectionSchema),
  canManage: v.nullish(v.boolean()),
});
export type ProjectSettings = v.InferOutput<typeof ProjectSettingsSchema>;

const InstallationsSchema = v.object({ configured: v.boolean(), linked: v.boolean(), installUrl: v.nullish(v.string()), installations: v.array(v.object({ id: v.number(), account: v.string() })) });
export type Installations = v.InferOutput<typeof InstallationsSchema>;
const RepositoriesSchema = v.object({ configured: v.boolean(), repos: v.array(v.object({ owner: v.string(), name: v.string(), fullName: v.string(), private: v.boolean(), defaultBranch: v.string() })) });
export type Repository = v.InferOutput<typeof RepositoriesSchema>['repos'][number];

const DeliverySchema = v.object({
  id: v.string(),
  event: v.string(),
  receivedAt: v.string(),
  repository: v.string(),
  branch: v.nullish(v.string()),
  commitSha: v.string(),
  outcome: v.picklist(['queued', 'ignored']),
  reason: v.nullish(v.string()),
  deploymentIds: v.array(v.string()),
});
export type Delivery = v.InferOutput<typeof DeliverySchema>;

const of = (id: string): string => `/projects/${encodeURIComponent(id)}`;

/** The project behind a slug with all its settings, or `null`: deleted, or not ours to read. */
export async function getProjectSettings(slug: string, signal?: AbortSignal): Promise<ProjectSettings | null> {
  const { projects } = await ask(v.object({ projects: v.array(ProjectSettingsSchema) }), '/projects', { query: { slug }, signal });
  // A server without `?slug=` lists them all.
  return projects.find((project) => project.slug === slug) ?? null;
}

export function getProjectById(id: string, signal?: AbortSignal): Promise<ProjectSettings> {
  return ask(ProjectSettingsSchema, of(id), { signal });
}

export function changeProject(id: string, change: { name?: string; access?: Access; repoUrl?: string | null }): Promise<ProjectSettings> {
  return ask(ProjectSettingsSchema, of(id), { method: 'PATCH', body: change });
}

export function deleteProject(id: string): Promise<unknown> {
  return ask(v.unknown(), of(id), { method: 'DELETE' });
}

export function getReaders(id: string, signal?: AbortSignal): Promise<Readers> {
  return ask(ReadersSchema, `${of(id)}/access`, { signal });
}

export async function listMembers(id: string, signal?: AbortSignal): Promise<ProjectMember[]> {
  return (await ask(v.object({ members: v.array(MemberSchema) }), `${of(id)}/members`, { signal })).members;
}

export function addMember(id: string, email: string): Promise<ProjectMember> {
  return ask(MemberSchema, `${of(id)}/members`, { method: 'POST', body: { email } });
}

export function removeMember(id: string, userId: string): Promise<unknown> {
  return ask(v.unknown(), `${of(id)}/members/${encodeURIComponent(userId)}`, { method: 'DELETE' });
}

/** Active accounts whose name or address matches. */
export async function searchDirectory(q: string, signal?: AbortSignal): Promise<Person[]> {
  return (await ask(v.object({ people: v.array(PersonSchema) }), '/directory', { query: { q }, signal })).people;
}

export function connectRepository(id: string, wanted: WantedConnection): Promise<Connection> {
  return ask(ConnectionSchema, `${of(id)}/repo`, { method: 'PUT', body: wanted });
}

export function disconnectRepository(id: string): Promise<unknown> {
  return ask(v.unknown(), `${of(id)}/repo`, { method: 'DELETE' });
}

export async function listDeliveries(id: string, signal?: AbortSignal): Promise<Delivery[]> {
  return (await ask(v.object({ deliveries: v.array(DeliverySchema) }), `${of(id)}/deliveries`, { signal })).deliveries;
}

export function getInstallations(signal?: AbortSignal): Promise<Installations> {
  return ask(InstallationsSchema, '/codehost/installations', { signal });
}

export async function listRepositories(installation: number, signal?: AbortSignal): Promise<Repository[]> {
  return (await ask(RepositoriesSchema, `/codehost/installations/${installation}/repos`, { signal })).repos;
}

export async function listBranches(installation: number, owner: string, name: string, signal?: AbortSignal): Promise<string[]> {
  const path = `/codehost/installations/${installation}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/branches`;
  return (await ask(v.object({ branches: v.array(v.string()) }), path, { signal })).branches;
}
