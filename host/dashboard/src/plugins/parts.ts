/** The parts of the pages that plugins bring (`/ui`): where each stands, and who sees it. */
import * as v from 'valibot';
import type { Ui, User } from '../api/ui.ts';

const PLACES = ['page', 'project-tab', 'review-panel', 'instance'] as const;
export type Place = (typeof PLACES)[number];

/** Addresses of a plugin's files; nothing else is framed or shown. */
const File = v.pipe(v.string(), v.regex(/^\/\.galley\/ui\/[a-z][a-z0-9-]*\/[0-9a-f]+\/[\w./-]+$/));

const PartSchema = v.object({
  at: v.picklist(PLACES),
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  icon: v.nullable(File),
  entry: File,
  guard: v.string(),
  requests: v.array(v.string()),
});

export interface Part extends v.InferOutput<typeof PartSchema> {
  slot: string;
  /** Its place among the slot's parts, for addresses. */
  index: number;
}

/** Who looks, and what they may in the project around the part. */
export interface Viewer {
  user: User | null;
  canManage?: boolean;
  canComment?: boolean;
}

/** The parts at a place that `viewer` sees. One that is not understood is left out: the server is newer than this page. */
export function partsAt(ui: Ui | undefined, at: Place, viewer: Viewer): Part[] {
  const slots = (ui?.slots ?? []).filter(({ state }) => state === 'ready');
  return slots.flatMap(({ slot, ui }) =>
    ui.flatMap((given, index) => {
      const part = v.safeParse(PartSchema, given);
      return part.success && part.output.at === at && sees(part.output.guard, viewer) ? [{ ...part.output, slot, index }] : [];
    }),
  );
}

/** Behind the address of its place: `SLOT`, and `SLOT/INDEX` for all but a plugin's first part. */
export function partAddress({ slot, index }: Part): string {
  return index === 0 ? slot : `${slot}/${index}`;
}

/** What the guard would say; the server asks it again with each request. */
function sees(guard: string, { user, canManage = false, canComment = false }: Viewer): boolean {
  switch (guard) {
    case 'project:read':
      return true;
    case 'project:comment':
      return canComment;
    case 'project:manage':
      return canManage;
    case 'identified':
      return user !== null;
    case 'instance:admin':
      return user?.role === 'admin';
    default:
      return false;
  }
}
