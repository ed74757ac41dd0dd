/** What every part of the review page needs: the project, who looks, and what they may do. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Person } from '@kit/mentions.ts';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type { Author, Comment } from '../api/comments.ts';
import type { Project } from '../api/projects.ts';
import { slotState, type SlotState, type Ui, type User } from '../api/ui.ts';
import { reviewWords } from '../words.ts';
import type { PinState } from './model/filters.ts';
import { merged, type ShownComment } from './model/merge.ts';
import { isOnPage } from './model/pages.ts';
import { everybody, participantAt } from './model/people.ts';
import { stateOf } from './model/pins.ts';
import { commentsQuery, participantsQuery, versionsQuery, type Version } from './queries.ts';
import type { Desk } from './sending.ts';
import { useReview } from './store.ts';

export interface Reviewing {
  project: Project;
  user: User | null;
  ui: Ui;
  slot: SlotState;
  /** Whether a guest or an account may write here. */
  mayComment: boolean;
  /** Who writes; `null` for a guest who has not said their name. */
  author: Author | null;
  desk: Desk | null;
  comments: ShownComment[];
  /** The comments' own state: the first list is on its way, or did not come. */
  error: Error | null;
  loaded: boolean;
  readAgain: () => void;
  people: Person[];
  /** The reader's id in the directory of participants. */
  participant: string | null;
  versions: readonly Version[];
}

const Context = createContext<Reviewing | null>(null);
const NONE: never[] = [];

export function ReviewingProvider({ project, user, ui, children }: { project: Project; user: User | null; ui: Ui; children: ReactNode }) {
  const client = useQueryClient();
  const slot = slotState(ui, 'comments');
  const asked = slot !== 'absent';
  const list = useQuery({ ...commentsQuery(project.id), enabled: asked });
  const mayComment = project.canComment && asked;
  const participants = useQuery({ ...participantsQuery(project.id), enabled: mayComment });
  const versions = useQuery({ ...versionsQuery(project.id, project.activeDeploymentId), enabled: slotState(ui, 'deployments') === 'ready' });
  const guest = useReview((state) => state.guest);
  const outbox = useReview((state) => state.outbox);
  const author = useMemo<Author | null>(() => (user ? { uid: `user:${user.id}`, displayName: user.displayName } : guest), [user, guest]);
  const desk = useMemo<Desk | null>(() => (author && mayComment ? { project: project.id, author, client } : null), [author, mayComment, project.id, client]);
  const data = list.data ?? (NONE as Comment[]);
  const comments = useMemo(() => merged(data, author ? outbox : NONE, author ?? { uid: '', displayName: '' }), [data, outbox, author]);
  const people = useMemo(() => everybody(participants.data ?? NONE, NONE), [participants.data]);
  const participant = user && participantAt(participants.data ?? NONE, user.email);
  const value: Reviewing = {
    project,
    user,
    ui,
    slot,
    mayComment,
    author,
    desk,
    comments,
    error: list.error,
    loaded: list.data !== undefined || !asked,
    readAgain: () => void list.refetch(),
    people,
    participant,
    versions: versions.data ?? NONE,
  };
  return <Context value={value}>{children}</Context>;
}

export function useReviewing(): Reviewing {
  const value = useContext(Context);
  if (!value) throw new Error('Part of the review outside of it');
  return value;
}

/** Whether a comment, whose pin is in this state, is on the page that the frame shows. */
export function useOnThisPage(): (comment: Pick<Comment, 'position'>, state: PinState) => boolean {
  // Until the page has said where it is, it is where it was sent.
  const page = useReview(({ frame }) => (frame.page === '' ? frame.start : frame.page));
  return useMemo(() => (comment, state) => isOnPage(page, comment.position.page, state), [page]);
}

export function usePinState(id: string): PinState {
  return useReview((state) => stateOf(state.pins.get(id)));
}

/**
 * Whether somebody may change the text of what `author` wrote: its author, an admin, and everybody where a guest wrote it. The
 * server decides; those on the access list may too, which this page does not know.
 */
export function mayChange({ user, mayComment, project }: Reviewing, { uid }: Author): boolean {
  if (!mayComment) return false;
  return !uid.startsWith('user:') || user?.role === 'admin' || (user !== null && (uid === `user:${user.id}` || (project.canManage && project.access === 'invited')));
}

/** A version as people call it. */
export function versionName(versions: readonly Version[], id: string): string {
  const number = versions.find(({ deploymentId }) => deploymentId === id)?.number;
  return number === undefined ? reviewWords.anotherVersion : reviewWords.version(number);
}
