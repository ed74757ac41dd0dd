/** Ties two frames: they scroll together, and go to other pages together, by what the bridges in them say and do. */
import { useEffect, useRef } from 'react';
import { makeChannel } from '../../review/frame.ts';
import { addressIn } from '../../review/model/pages.ts';
import { makeTogether, type Side } from './scrolling.ts';

/** A frame tells its scrolling as often as it is painted. */
const MAX_A_SECOND = 250;

const SIDES = [0, 1] as const;

export interface Tie {
  /** A frame has loaded; `origin` is where its page has to be, for what it says to count. */
  loaded: (side: Side, frame: HTMLIFrameElement, origin: string | null) => void;
  /** Another version comes into a frame. */
  left: (side: Side) => void;
  /** Shows a page in both; gives whether both bridges are there to do it. */
  go: (path: string) => boolean;
}

export function useTogether(isOn: boolean): Tie {
  const channels = useRef([makeChannel(MAX_A_SECOND), makeChannel(MAX_A_SECOND)] as const).current;
  const together = useRef(makeTogether()).current;
  /** What each frame shows; `null` while its bridge has not said. */
  const pages = useRef<[string | null, string | null]>([null, null]).current;
  const tied = useRef(isOn);
  tied.current = isOn;
  useEffect(() => {
    const stops = SIDES.map((side) =>
      channels[side].hear((message) => {
        if (message.type === 'review:ready' || message.type === 'review:page') pages[side] = message.page;
        if (message.type !== 'review:scroll') return;
        if (!tied.current) return together.learn(side, message);
        const y = together.moved(side, message, performance.now());
        if (y !== null) channels[side === 0 ? 1 : 0].tell({ type: 'review:scroll', y });
      }),
    );
    return () => stops.forEach((stop) => stop());
  }, [channels, together, pages]);
  const left = (side: Side): void => {
    together.forget(side);
    pages[side] = null;
  };
  return {
    loaded: (side, frame, origin) => {
      left(side);
      channels[side].attach(frame.contentWindow, origin, true);
      channels[side].tell({ type: 'review:start', mode: 'use', theme: 'light', pins: [], keys: false, scroll: true });
    },
    left,
    go: (path) => {
      const [one, other] = pages;
      if (one === null || other === null) return false;
      channels[0].tell({ type: 'review:go', to: addressIn(one, path) });
      channels[1].tell({ type: 'review:go', to: addressIn(other, path) });
      return true;
    },
  };
}
