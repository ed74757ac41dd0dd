/** The pins that the frame is asked to draw. */
import type { Anchor } from '@kit/anchor.ts';
import { MAX_PINS, type PlacedPin, type ReviewPin } from '@kit/review.ts';
import type { Position } from '../../api/comments.ts';
import type { PinState } from './filters.ts';
import type { ShownComment } from './merge.ts';

/** The pin of what is being written. */
export const DRAFT = 'draft';

export interface Drawn {
  comments: readonly ShownComment[];
  /** Resolved ones are drawn when their list is shown, or when it is this one. */
  resolved: boolean;
  selected: string | null;
  /** Where somebody is about to write. */
  draft: Position | null;
  unread: (comment: ShownComment) => boolean;
  title: (comment: ShownComment) => string;
}

/** Pins of open comments, the newest when there are too many. */
export function pinsOf({ comments, resolved, selected, draft, unread, title }: Drawn): ReviewPin[] {
  const drawn = comments.filter((comment) => comment.position.anchorSelector !== '' && (!comment.resolved || resolved || comment.id === selected));
  const pins = drawn.slice(-(MAX_PINS - 1)).map((comment): ReviewPin => ({
    ...place(comment.position),
    id: comment.id,
    label: comment.number > 9_999 ? '…' : String(comment.number),
    title: title(comment).slice(0, 200),
    status: comment.resolved ? 'resolved' : 'open',
    unread: unread(comment),
  }));
  if (draft) pins.push({ ...place(draft), id: DRAFT, label: '', title: '', status: 'draft' });
  return pins;
}

function place({ anchorSelector, anchor, page }: Position): Pick<ReviewPin, 'selector' | 'anchor' | 'page'> {
  return { selector: anchorSelector, anchor: (anchor as Anchor | undefined) ?? null, page };
}

/** What the list says of a pin. */
export function stateOf(pin: PlacedPin | undefined): PinState {
  if (!pin || pin.state === 'elsewhere' || pin.state === 'searching') return 'unknown';
  return pin.state;
}
