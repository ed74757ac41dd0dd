import { useMemo } from 'react';
import { useOnThisPage, type Reviewing } from '../context.tsx';
import { counts, shown, type Filter, type PinState, type View } from '../model/filters.ts';
import type { ShownComment } from '../model/merge.ts';
import { stateOf } from '../model/pins.ts';
import { useReview } from '../store.ts';

export interface Listed {
  comments: ShownComment[];
  counts: Record<Filter, number>;
}

/** The comments that the list shows, by its filter and search. */
export function useListed({ comments, author, participant }: Reviewing): Listed {
  const filter = useReview((state) => state.filter);
  const query = useReview((state) => state.query);
  const selected = useReview((state) => state.selected);
  const pins = useReview((state) => state.pins);
  const onThisPage = useOnThisPage();
  return useMemo(() => {
    const pinState = ({ id }: Pick<ShownComment, 'id'>): PinState => stateOf(pins.get(id));
    const view: View = { filter, query, me: author?.uid ?? null, participant, onThisPage: (comment) => onThisPage(comment, pinState(comment)), stateOf: pinState, keep: selected };
    return { comments: shown(comments, view), counts: counts(comments, view) };
  }, [comments, author, participant, filter, query, pins, onThisPage, selected]);
}
