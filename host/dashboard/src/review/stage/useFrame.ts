import type { PlacedPin } from '@kit/review.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, type RefObject } from 'react';
import { projectQuery } from '../../api/projects.ts';
import { useShownTheme } from '../../shell/theme.ts';
import { reviewWords } from '../../words.ts';
import { pinAgain, select, setMode } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { attachFrame, hear, tell } from '../frame.ts';
import { placedFor } from '../model/claims.ts';
import type { ShownComment } from '../model/merge.ts';
import { frameOrigin, pageToKeep, sameQuery } from '../model/pages.ts';
import { DRAFT, pinsOf, stateOf } from '../model/pins.ts';
import { setFrame, shownVersion, useReview } from '../store.ts';
import { FRAME_KEY } from '../use/useKeys.ts';

/** A page that has loaded and whose bridge is silent for so long says nothing any more, in milliseconds. */
const SILENT_TIMEOUT = 3_000;
/** A page that has not even loaded after so long may be waiting for an image: the bridge decides. */
const LOAD_TIMEOUT = 15_000;
/** The shortest time between two questions what is live, in milliseconds, however often the frame names another version. */
const MIN_INTERVAL = 1_000;

/** Talks with the bridge in the frame: pins and modes to it, clicks and places from it. */
export function useFrame(frame: RefObject<HTMLIFrameElement | null>, key: string): { onLoad: () => void } {
  const around = useReviewing();
  const client = useQueryClient();
  const { comments, ui, project } = around;
  const theme = useShownTheme();
  const mode = useReview((state) => state.mode);
  const filter = useReview((state) => state.filter);
  const selected = useReview((state) => state.selected);
  const draft = useReview((state) => state.placing?.position ?? null);
  const unread = useReview((state) => state.unread);
  const singleKeys = useReview((state) => state.singleKeys);
  const silence = useRef<ReturnType<typeof setTimeout>>(undefined);

  const pins = useMemo(
    () =>
      pinsOf({
        comments,
        resolved: filter === 'resolved',
        selected,
        draft,
        unread: (comment) => unread.has(comment.id),
        title: (comment) => reviewWords.pinTitle(comment.number, comment.author.displayName, comment.body),
      }),
    [comments, filter, selected, draft, unread],
  );

  const start = useEffectEvent((): void => {
    tell({ type: 'review:start', mode: useReview.getState().mode, theme, pins, keys: singleKeys });
  });
  const hush = useEffectEvent((timeout: number): void => {
    clearTimeout(silence.current);
    silence.current = setTimeout(() => setFrame({ is: 'silent' }), timeout);
  });

  const at = useReview((state) => state.at);
  const origin = useMemo(() => frameOrigin(ui.serving, project.url, at), [ui.serving, project.url, at]);
  useEffect(() => {
    attachFrame(frame.current?.contentWindow ?? null, origin);
    hush(LOAD_TIMEOUT);
    return () => {
      clearTimeout(silence.current);
      attachFrame(null, null);
    };
  }, [frame, key, origin]);

  const receive = useEffectEvent((message: Parameters<Parameters<typeof hear>[0]>[0]): void => {
    switch (message.type) {
      case 'review:ready': {
        clearTimeout(silence.current);
        // A page that came by itself does not know yet what its clicks mean: it answers this with the same message.
        if (!message.started) {
          hush(SILENT_TIMEOUT);
          return start();
        }
        const { page, title, deployment } = message;
        setFrame({ is: 'ready', page, title, deployment });
        if (deployment !== null && deployment !== project.activeDeploymentId) void client.prefetchQuery({ ...projectQuery(project.slug), staleTime: MIN_INTERVAL });
        const { selected: shown } = useReview.getState();
        if (shown) tell({ type: 'review:show', id: shown });
        return;
      }
      case 'review:page':
        return setFrame({ page: message.page, title: message.title });
      case 'review:placed': {
        const { selector, anchor, page, rect, label, id } = message;
        const state = useReview.getState();
        const version = shownVersion(state);
        const position = { anchorSelector: selector, page: pageToKeep(page, state.frame.page), anchor: { ...anchor } };
        const asked = placedFor(id, state);
        if (asked === 'new') {
          if (around.mayComment) useReview.setState({ placing: { position, rect, label, deployment: version } });
        } else if (asked) {
          setMode('use');
          void pinAgain(around, asked.again, position, version);
        }
        return;
      }
      case 'review:pins':
        return useReview.setState(({ pins: before, frame }) => ({ pins: withLast(message.pins.map((pin) => ofThisScreen(pin, comments, frame.page)), before) }));
      case 'review:pin': {
        const found = comments.find(({ id }) => id === message.id);
        if (found && message.id !== DRAFT) select(found);
        return;
      }
      case 'review:key':
        window.dispatchEvent(new CustomEvent(FRAME_KEY, { detail: message }));
        return;
      case 'review:error':
        return setFrame({ error: message.message });
    }
  });
  useEffect(() => hear((message) => receive(message)), []);
  // A link in the prototype leads to what is live by now. Its word counts for what the server calls live, and for nothing else.
  const claimed = useReview((state) => state.frame.deployment);
  useEffect(() => {
    if (at === null && claimed !== null && claimed === project.activeDeploymentId) useReview.setState({ loaded: claimed });
  }, [at, claimed, project.activeDeploymentId]);
  useEffect(() => tell({ type: 'review:pins', pins }), [pins]);
  useEffect(() => tell({ type: 'review:mode', mode }), [mode]);
  useEffect(() => start(), [theme, singleKeys]);

  return {
    onLoad: () => {
      attachFrame(frame.current?.contentWindow ?? null, origin, true);
      start();
      if (useReview.getState().frame.is !== 'ready') hush(SILENT_TIMEOUT);
    },
  };
}

/** What is not found under another query may be on another screen of the same page: nobody says that it is gone. */
function ofThisScreen(pin: PlacedPin, comments: readonly ShownComment[], page: string): PlacedPin {
  const comment = pin.state === 'detached' && comments.find(({ id }) => id === pin.id);
  return comment && !sameQuery(page, comment.position.page) ? { ...pin, state: 'elsewhere', guess: null } : pin;
}

/** Pins of other pages keep what was found out about them when their page was shown. */
function withLast(pins: readonly PlacedPin[], before: ReadonlyMap<string, PlacedPin>): Map<string, PlacedPin> {
  return new Map(
    pins.map((pin) => {
      const known = before.get(pin.id);
      return [pin.id, stateOf(pin) === 'unknown' && known?.state === 'detached' ? { ...known, rect: null } : pin];
    }),
  );
}
