/** Projects, and what the slots count of them. */
import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { ask } from './client.ts';
import { ApiError } from './error.ts';
import { shellWords } from '../words.ts';

const word = v.optional(v.nullable(v.string()), null);

const Access = v.picklist(['all-members', 'invited', 'public-link']);
export type Access = v.InferOutput<typeof Access>;

export const ProjectSchema = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  repoUrl: word,
  access: Access,
  /** Where the prototype is served. */
  url: v.string(),
  /** Where a frame or a tab of the prototype starts. */
  openUrl: word,
  createdAt: v.string(),
  updatedAt: v.string(),
  activeDeploymentId: word,
  canManage: v.optional(v.boolean(), false),
  canComment: v.optional(v.boolean(), false),
});
export type Project = v.InferOutput<typeof ProjectSchema>;

const ProjectsSchema = v.object({ projects: v.array(ProjectSchema) });

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await ask(ProjectsSchema, '/projects', { signal })).projects,
});

/** One project by its slug; an `ApiError` with `gone` when there is none for this reader. */
export const projectQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug],
    queryFn: async ({ signal }) => {
      const { projects } = await ask(ProjectsSchema, '/projects', { query: { slug }, signal });
      const found = projects.find((project) => project.slug === slug);
      if (!found) throw new ApiError('gone', shellWords.goneWhy, { status: 404 });
      return found;
    },
  });

export interface NewProject {
  name: string;
  slug: string;
  access: Access;
}

export const createProject = (project: NewProject): Promise<Project> => ask(ProjectSchema, '/projects', { body: project });

/** What the comments plugin counts; a project without comments is absent. */
const CommentCounts = v.object({ open: v.number(), unread: v.number(), lastAt: word });
export type CommentCounts = v.InferOutput<typeof CommentCounts>;

/** How a version looks in a list: what its index.html says of itself. */
export const CoverSchema = v.nullish(v.object({ title: word, colour: word, icon: word }));
export type Cover = v.InferOutput<typeof CoverSchema>;

const DeploymentFacts = v.object({
  live: v.nullish(v.object({ deploymentId: v.string(), number: v.nullish(v.number()), at: word, byName: word, cover: CoverSchema })),
  building: word,
  last: v.nullish(v.object({ at: v.string() })),
});
export type DeploymentFacts = v.InferOutput<typeof DeploymentFacts>;

/** How often the lists ask again, in milliseconds. */
const SUMMARY_INTERVAL = 60_000;

export const commentsSummaryQuery = queryOptions({
  queryKey: ['comments', 'summary'],
  queryFn: async ({ signal }) => (await ask(v.object({ projects: v.record(v.string(), CommentCounts) }), '/comments/summary', { signal })).projects,
  refetchInterval: SUMMARY_INTERVAL,
});

export const deploymentsSummaryQuery = queryOptions({
  queryKey: ['deployments', 'summary'],
  queryFn: async ({ signal }) => (await ask(v.object({ projects: v.record(v.string(), DeploymentFacts) }), '/deployments/summary', { signal })).projects,
  refetchInterval: SUMMARY_INTERVAL,
});
