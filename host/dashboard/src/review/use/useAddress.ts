import { useEffect, useRef } from 'react';
import { say } from '../../shell/toasts.tsx';
import { reviewWords } from '../../words.ts';
import { select } from '../commands.ts';
import type { Reviewing } from '../context.tsx';
import { parsePlace, queryOf } from '../model/address.ts';
import { innerPath } from '../model/pages.ts';
import { useReview } from '../store.ts';

/** The address says what is shown, so that it can be copied: a comment, a page, a version, a width. */
export function useAddress({ comments, loaded, slot }: Reviewing): void {
  const selected = useReview((state) => state.selected);
  const page = useReview((state) => state.frame.page);
  const at = useReview((state) => state.at);
  const width = useReview((state) => state.width);
  const wanted = useRef(parsePlace(location.search).comment);

  // A link to a comment: as soon as the comments are there.
  useEffect(() => {
    if (!loaded || wanted.current === null) return;
    const number = wanted.current;
    const found = comments.find((comment) => comment.number === number);
    wanted.current = null;
    if (!found) {
      if (slot !== 'absent') say(reviewWords.noComment(number), 'bad');
      return;
    }
    if (found.resolved) useReview.setState({ filter: 'resolved' });
    select(found);
  }, [comments, loaded, slot]);

  useEffect(() => {
    if (wanted.current !== null || (page === '' && selected === null)) return;
    const comment = comments.find(({ id, pending }) => id === selected && pending === null);
    const query = queryOf({ comment: comment?.number ?? null, page: comment || page === '' ? null : innerPath(page), deployment: at, width });
    if (query !== location.search) history.replaceState(null, '', location.pathname + query);
  }, [comments, selected, page, at, width]);
}
