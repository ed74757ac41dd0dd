/** Comments, replies, their images, and who can be mentioned. */
import * as v from 'valibot';
import { ask, NothingSchema, send } from './client.ts';

const AuthorSchema = v.object({ uid: v.string(), displayName: v.string() });
export type Author = v.InferOutput<typeof AuthorSchema>;

const ImageSchema = v.object({ id: v.string(), type: v.string(), bytes: v.number(), width: v.number(), height: v.number() });
export type CommentImage = v.InferOutput<typeof ImageSchema>;

const ReplySchema = v.object({
  id: v.string(),
  body: v.string(),
  author: AuthorSchema,
  mentions: v.array(v.string()),
  clientKey: v.optional(v.string()),
  createdAt: v.string(),
  editedAt: v.optional(v.nullable(v.string()), null),
});
export type Reply = v.InferOutput<typeof ReplySchema>;

/** `anchor` is what the bridge wrote down of the element; the server gives it back as it came. */
const PositionSchema = v.object({ anchorSelector: v.string(), page: v.string(), anchor: v.optional(v.record(v.string(), v.unknown())) });
export type Position = v.InferOutput<typeof PositionSchema>;

const CommentSchema = v.object({
  id: v.string(),
  /** 1, 2, … in its project. */
  number: v.number(),
  body: v.string(),
  position: PositionSchema,
  /** The version its author saw. */
  deploymentId: v.optional(v.nullable(v.string()), null),
  author: AuthorSchema,
  mentions: v.array(v.string()),
  resolved: v.boolean(),
  resolvedBy: v.optional(v.nullable(AuthorSchema), null),
  resolvedAt: v.optional(v.nullable(v.string()), null),
  unread: v.optional(v.boolean(), false),
  clientKey: v.optional(v.string()),
  images: v.optional(v.array(ImageSchema), []),
  replies: v.array(ReplySchema),
  createdAt: v.string(),
  updatedAt: v.string(),
  editedAt: v.optional(v.nullable(v.string()), null),
});
export type Comment = v.InferOutput<typeof CommentSchema>;

const ListSchema = v.object({ comments: v.array(CommentSchema), next: v.optional(v.string()) });

const ParticipantSchema = v.object({ id: v.string(), displayName: v.string(), status: v.optional(v.string(), 'active'), email: v.optional(v.string()) });
export type Participant = v.InferOutput<typeof ParticipantSchema>;

/** Who says they write it. The server takes the account instead when there is one. */
export type Claim = { uid: string; displayName: string };

export interface NewComment {
  body: string;
  position: Position;
  mentions: string[];
  deploymentId: string | null;
  clientKey: string;
  author: Claim;
}

export interface NewReply {
  body: string;
  mentions: string[];
  clientKey: string;
  author: Claim;
}

export interface Change {
  body?: string;
  mentions?: string[];
  resolved?: boolean;
  position?: Position;
  deploymentId?: string | null;
  author?: Claim;
}

const commentsOf = (project: string): string => `/projects/${encodeURIComponent(project)}/comments`;
const commentOf = (project: string, id: string): string => `${commentsOf(project)}/${encodeURIComponent(id)}`;
const replyOf = (project: string, comment: string, id: string): string => `${commentOf(project, comment)}/replies/${encodeURIComponent(id)}`;

/** Pages of a list that are followed. */
const MAX_PAGES = 100;

/** All comments of a project, the oldest first. */
export async function listComments(project: string, signal?: AbortSignal): Promise<Comment[]> {
  const all: Comment[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { comments, next } = await ask(ListSchema, commentsOf(project), { query: { after }, signal });
    all.push(...comments);
    if (next === undefined) break;
    after = next;
  }
  return all;
}

export function createComment(project: string, { deploymentId, ...rest }: NewComment): Promise<Comment> {
  return ask(CommentSchema, commentsOf(project), { body: { ...rest, ...(deploymentId === null ? {} : { deploymentId }) } });
}

export function createReply(project: string, comment: string, reply: NewReply): Promise<Reply> {
  return ask(ReplySchema, `${commentOf(project, comment)}/replies`, { body: reply });
}

export function changeComment(project: string, id: string, change: Change): Promise<Comment> {
  return ask(CommentSchema, commentOf(project, id), { method: 'PATCH', body: change });
}

export function deleteComment(project: string, id: string): Promise<unknown> {
  return ask(NothingSchema, commentOf(project, id), { method: 'DELETE' });
}

export function changeReply(project: string, comment: string, id: string, change: { body: string; mentions: string[] }): Promise<Reply> {
  return ask(ReplySchema, replyOf(project, comment, id), { method: 'PATCH', body: change });
}

export function deleteReply(project: string, comment: string, id: string): Promise<unknown> {
  return ask(NothingSchema, replyOf(project, comment, id), { method: 'DELETE' });
}

/** The most ids one request may name. */
const MAX_RESOLVED = 100;

/** Resolves many, or opens them again. The server does all of a request or none. */
export async function resolveComments(project: string, ids: readonly string[], resolved: boolean, author?: Claim): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_RESOLVED) {
    const some = ids.slice(from, from + MAX_RESOLVED);
    await ask(NothingSchema, `${commentsOf(project)}/resolve`, { body: { ids: some, resolved, ...(author ? { author } : {}) } });
  }
}

/** This account has seen the comments up to `number`, and what was written up to `at`. */
export function markSeen(project: string, number: number, at: string): Promise<unknown> {
  return ask(NothingSchema, `${commentsOf(project)}/seen`, { method: 'PUT', body: { number, at } });
}

export function uploadImage(project: string, comment: string, file: Blob): Promise<CommentImage> {
  return ask(ImageSchema, `${commentOf(project, comment)}/images`, { file, headers: { 'content-type': file.type || 'application/octet-stream' } });
}

export function deleteImage(project: string, comment: string, image: string): Promise<unknown> {
  return ask(NothingSchema, `${commentOf(project, comment)}/images/${encodeURIComponent(image)}`, { method: 'DELETE' });
}

/** The bytes of an image. An `<img>` cannot send the page's key. */
export async function readImage(project: string, comment: string, image: string, signal?: AbortSignal): Promise<Blob> {
  const answer = await send(`${commentOf(project, comment)}/images/${encodeURIComponent(image)}`, { headers: { accept: 'image/*' }, signal });
  return answer.blob();
}

/** The stream that says when something changed. */
export function openBell(project: string, signal: AbortSignal): Promise<Response> {
  return send(`${commentsOf(project)}/stream`, { headers: { accept: 'text/event-stream' }, signal });
}

export async function listParticipants(project: string, signal?: AbortSignal): Promise<Participant[]> {
  const schema = v.object({ participants: v.array(ParticipantSchema) });
  return (await ask(schema, `/projects/${encodeURIComponent(project)}/participants`, { signal })).participants;
}

/** Puts somebody into the directory of those who can be mentioned. It gives nobody access. */
export function inviteParticipant(project: string, email: string): Promise<Participant> {
  return ask(ParticipantSchema, `/projects/${encodeURIComponent(project)}/participants`, { body: { email } });
}
