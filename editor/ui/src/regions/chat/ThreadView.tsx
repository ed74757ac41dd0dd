import { useEffect, useLayoutEffect, useRef } from 'react';
import { loadOlder } from '../../model/chats.ts';
import type { Thread } from '../../model/thread.ts';
import { useEditor } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { TurnView } from './TurnView.tsx';

/** So near to an end counts as being there, in pixels. */
const NEAR = 48;

/** The turns of a chat. It stays at its end while one is there, and what one reads stays in place when older turns come in front. */
export function ThreadView({ thread }: { thread: Thread }) {
  const editor = useEditor();
  const { session, turns, more, older } = thread;
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const seen = useRef({ first: '', height: 0, atEnd: true });
  const first = turns[0]?.id ?? '';

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const before = seen.current;
    if (before.first !== first && before.first !== '' && !before.atEnd) element.scrollTop += element.scrollHeight - before.height;
    if (before.atEnd) element.scrollTop = element.scrollHeight;
    seen.current = { ...before, first, height: element.scrollHeight };
    // Where there is nothing to scroll, what is older has room. One that was refused waits for somebody.
    if (more && older === null && element.scrollHeight <= element.clientHeight) void loadOlder(editor, session.id);
  });

  // Markdown and pictures grow after they were put in.
  useEffect(() => {
    const inside = content.current;
    if (!inside) return undefined;
    const observer = new ResizeObserver(() => {
      const element = box.current;
      if (!element) return;
      if (seen.current.atEnd) element.scrollTop = element.scrollHeight;
      seen.current.height = element.scrollHeight;
    });
    observer.observe(inside);
    return () => observer.disconnect();
  }, []);

  // What is older is asked of the chat as it is then: nothing of this rendering is kept.
  const scrolled = (element: HTMLDivElement): void => {
    seen.current.atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    if (element.scrollTop < NEAR && !seen.current.atEnd) void loadOlder(editor, session.id);
  };

  return (
    <div ref={box} className="scroll thread" role="log" aria-live="off" aria-label={session.title} tabIndex={0} onScroll={(event) => scrolled(event.currentTarget)}>
      <div ref={content} className="turns">
        {more && (
          <div className="older">
            {older === 'loading' ? (
              <span className="spinner" />
            ) : (
              <button type="button" className="button plain" onClick={() => void loadOlder(editor, session.id)}>
                {messages.olderTurns}
              </button>
            )}
            {older !== null && older !== 'loading' && <p className="problem" role="alert">{older.reason}</p>}
          </div>
        )}
        {turns.length === 0 && <p className="help">{messages.emptyChat}</p>}
        {turns.map((turn) => (
          <TurnView key={turn.id} session={session.id} turn={turn} />
        ))}
      </div>
    </div>
  );
}
