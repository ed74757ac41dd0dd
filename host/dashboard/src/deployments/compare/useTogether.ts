/** Ties the scrolling of two frames: directly where they are of this page's origin, by the bridge's messages elsewhere. */
import { useEffect, useRef, type RefObject } from 'react';
import * as v from 'valibot';
import { follow, ownWindow, scrollOf, scrollTo, type Scroll } from './scrolling.ts';

const ScrollSchema = v.object({ type: v.literal('review:scroll'), y: v.pipe(v.number(), v.finite()), max: v.pipe(v.number(), v.finite()) });
const ReadySchema = v.object({ type: v.literal('review:ready') });

type Frame = RefObject<HTMLIFrameElement | null>;

export function useTogether(left: Frame, right: Frame, isOn: boolean, loads: number): void {
  /** The last that each frame said of itself. */
  const known = useRef<[Scroll, Scroll]>([
    { y: 0, max: 0 },
    { y: 0, max: 0 },
  ]);
  useEffect(() => {
    if (!isOn) return;
    const frames = [left, right] as const;
    const stop = new AbortController();
    const { signal } = stop;
    /** Where a frame was just put: that scroll event is an echo. */
    const put: [number | null, number | null] = [null, null];

    const moved = (at: 0 | 1, scroll: Scroll): void => {
      known.current[at] = scroll;
      const expected = put[at];
      put[at] = null;
      if (expected !== null && Math.abs(expected - scroll.y) <= 2) return;
      const other = at === 0 ? 1 : 0;
      const frame = frames[other].current;
      const inner = ownWindow(frame);
      const otherMax = inner ? scrollOf(inner).max : known.current[other].max;
      const y = follow(scroll, otherMax);
      const now = inner ? scrollOf(inner).y : known.current[other].y;
      if (Math.abs(now - y) <= 1) return;
      put[other] = y;
      if (inner) scrollTo(inner, y);
      else frame?.contentWindow?.postMessage({ type: 'review:scroll', y }, '*');
    };

    for (const at of [0, 1] as const) {
      const frame = frames[at].current;
      const inner = ownWindow(frame);
      if (inner) inner.addEventListener('scroll', () => moved(at, scrollOf(inner)), { signal, passive: true });
      else start(frame);
    }
    window.addEventListener(
      'message',
      ({ source, data }) => {
        const at = frames.findIndex(({ current }) => current !== null && current.contentWindow === source);
        if (at === -1) return;
        if (v.is(ReadySchema, data)) return start(frames[at]?.current ?? null);
        const said = v.safeParse(ScrollSchema, data);
        if (said.success && !ownWindow(frames[at]?.current ?? null)) moved(at === 0 ? 0 : 1, { y: Math.max(0, said.output.y), max: Math.max(0, said.output.max) });
      },
      { signal },
    );
    return () => stop.abort();
  }, [left, right, isOn, loads]);
}

/** Asks the bridge of a prototype to tell its scrolling. What it is told is no secret, so any origin may hear it. */
function start(frame: HTMLIFrameElement | null): void {
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  frame?.contentWindow?.postMessage({ type: 'review:start', mode: 'use', theme, pins: [], keys: false, scroll: true }, '*');
}
