/** The list of projects as it is searched and sorted; nothing here knows of the page. */
import type { CommentCounts, DeploymentFacts, Project } from '../api/projects.ts';

/** A project with what the plugins say of it; undefined while they have not, or do not serve. */
export interface Listed {
  project: Project;
  comments: CommentCounts | undefined;
  deployments: DeploymentFacts | undefined;
  /** The last thing that happened in it, in milliseconds since 1970. */
  activeAt: number;
}

export type Sort = 'activity' | 'unread' | 'name' | 'created';
export const SORTS: readonly Sort[] = ['activity', 'unread', 'name', 'created'];

export function listed(project: Project, comments: CommentCounts | undefined, deployments: DeploymentFacts | undefined): Listed {
  const times = [project.createdAt, project.updatedAt, comments?.lastAt, deployments?.last?.at, deployments?.live?.at];
  return { project, comments, deployments, activeAt: Math.max(0, ...times.map(atOf)) };
}

function atOf(time: string | null | undefined): number {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? 0 : at;
}

/** Projects whose name or address contains every word of the search. */
export function matching(projects: readonly Listed[], search: string): Listed[] {
  const words = plain(search).split(/\s+/).filter((word) => word !== '');
  return projects.filter(({ project }) => {
    const text = plain(`${project.name} ${project.slug}`);
    return words.every((word) => text.includes(word));
  });
}

/** Small letters without accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

export function sorted(projects: readonly Listed[], by: Sort): Listed[] {
  const order: Record<Sort, (one: Listed, other: Listed) => number> = {
    activity: (one, other) => other.activeAt - one.activeAt,
    unread: (one, other) => (other.comments?.unread ?? 0) - (one.comments?.unread ?? 0) || other.activeAt - one.activeAt,
    name: () => 0,
    created: (one, other) => atOf(other.project.createdAt) - atOf(one.project.createdAt),
  };
  return [...projects].sort((one, other) => order[by](one, other) || one.project.name.localeCompare(other.project.name, 'en', { numeric: true, sensitivity: 'base' }));
}

const MAX_SLUG = 63;

/** The address a name suggests: small letters, digits and single hyphens. */
export function slugOf(name: string): string {
  return plain(name)
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '');
}

/** The commands of a first upload, filled in for this server. */
export function firstCommands(publicUrl: string): string {
  const api = `${publicUrl}/api/v1`;
  return [
    'TOKEN=…   # under Your account, Tokens: read and write',
    `ID=$(curl -s -H "Authorization: Bearer $TOKEN" ${api}/projects \\`,
    `  -d '{"slug":"my-prototype","name":"My prototype"}' | jq -r .id)`,
    'npm run build && tar czf site.tgz -C dist .',
    'curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/gzip" \\',
    `  --data-binary @site.tgz ${api}/projects/$ID/deployments`,
  ].join('\n');
}
