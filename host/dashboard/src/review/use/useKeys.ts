import { useEffect, useEffectEvent } from 'react';
import { say } from '../../shell/toasts.tsx';
import { reviewWords } from '../../words.ts';
import { resolve, select, setMode, setPanel } from '../commands.ts';
import type { Reviewing } from '../context.tsx';
import { commandOf, FRAME_COMMANDS, isTyping, step, type Command, type Press } from '../model/keys.ts';
import { useListed } from '../list/useListed.ts';
import { useReview } from '../store.ts';

/** Does what a key means: here, and in the frame, which passes its keys on. */
export function useKeys(around: Reviewing): void {
  const listed = useListed(around);
  const run = useEffectEvent((command: Command): void => {
    const { selected, mode, placing, repinning, chosen } = useReview.getState();
    const current = around.comments.find(({ id }) => id === selected) ?? null;
    switch (command) {
      case 'comment':
        if (around.mayComment) setMode(mode === 'comment' ? 'use' : 'comment');
        return;
      case 'next':
      case 'previous': {
        const found = step(listed.comments, selected, command === 'next' ? 1 : -1);
        if (found) select(found);
        return;
      }
      case 'reply':
        if (current && !current.pending && around.mayComment) useReview.setState({ replying: true, panel: true });
        return;
      case 'resolve':
        if (current && around.mayComment) void resolve(around, current);
        return;
      case 'search':
        setPanel(true);
        requestAnimationFrame(() => document.querySelector<HTMLInputElement>('#comments input[type="search"]')?.focus());
        return;
      case 'help':
      case 'palette':
        useReview.setState({ dialog: command });
        return;
      case 'leave':
        if (placing) useReview.setState({ placing: null });
        else if (mode === 'comment' || repinning) setMode('use');
        else if (chosen) useReview.setState({ chosen: null });
        else select(null);
    }
  });
  const press = useEffectEvent((given: Press, typing: boolean, framed: boolean): boolean => {
    if (useReview.getState().dialog !== null) return false;
    const command = commandOf(given, { singleKeys: useReview.getState().singleKeys, typing });
    if (command && framed && !FRAME_COMMANDS.has(command)) say(reviewWords.notFromFrame);
    else if (command) run(command);
    return command !== null;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Menus and dialogs have their keys for themselves.
      if (event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
      if (press({ key: event.key, meta: event.metaKey, ctrl: event.ctrlKey, shift: event.shiftKey, alt: event.altKey }, isTyping(event.target), false)) event.preventDefault();
    };
    const onFrameKey = (event: Event): void => {
      if (event instanceof CustomEvent) press(event.detail as Press, false, true);
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener(FRAME_KEY, onFrameKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener(FRAME_KEY, onFrameKey);
    };
  }, []);
}

/** The stage dispatches it for each key that the frame passes on. */
export const FRAME_KEY = 'galley:frame-key';
