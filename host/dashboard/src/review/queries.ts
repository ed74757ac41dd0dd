/** What the server is asked for, and how it is kept. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { ask } from '../api/client.ts';
import { listComments, listParticipants } from '../api/comments.ts';

/** The bell says when they are old; without a bell they are asked for now and then. */
const COMMENTS_FRESH = 60_000;

export const commentsQuery = (project: string) =>
  queryOptions({ queryKey: ['comments', project], queryFn: ({ signal }) => listComments(project, signal), staleTime: COMMENTS_FRESH });

export const participantsQuery = (project: string) =>
  queryOptions({ queryKey: ['participants', project], queryFn: ({ signal }) => listParticipants(project, signal), staleTime: COMMENTS_FRESH });

const VersionSchema = v.object({ deploymentId: v.string(), number: v.optional(v.number()), active: v.boolean(), createdAt: v.string() });
export type Version = v.InferOutput<typeof VersionSchema>;

/** As many versions as comments are likely to name. */
export const MAX_VERSIONS = 200;

/** The newest versions of a project: their numbers. They are read again when another one is `live`. */
export const versionsQuery = (project: string, live: string | null) =>
  queryOptions({
    queryKey: ['versions', project, live],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await ask(v.object({ deployments: v.array(VersionSchema) }), `/projects/${encodeURIComponent(project)}/deployments`, { query: { limit: MAX_VERSIONS }, signal })).deployments,
    staleTime: COMMENTS_FRESH,
  });
