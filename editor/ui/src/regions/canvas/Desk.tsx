import { useEffect, useRef, useState, type ReactNode } from 'react';
import { fittingZoom } from '../../model/breakpoints.ts';
import { changeBoard } from '../../model/canvas.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** Between pictures, and around them, in pixels. */
const GAP = 24;

/** Where the pictures lie, in the zoom that was asked for; `rows` are the widths that stand side by side. */
export function Desk({ rows, children }: { rows: readonly (readonly number[])[]; children: (scale: number) => ReactNode }) {
  const editor = useEditor();
  const outer = useRef<HTMLDivElement>(null);
  const [space, setSpace] = useState(0);
  useEffect(() => {
    const element = outer.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSpace(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const zoom = useModel((model) => model.board.zoom);
  const fitting = rows.map((row) => fittingZoom(row.reduce((all, width) => all + width, 0) || null, space - GAP * (row.length + 1)));
  const scale = zoom ?? Math.min(1, ...fitting);
  useEffect(() => changeBoard(editor, { scale }), [editor, scale]);
  return (
    <div ref={outer} className="desk" role="region" aria-label={messages.board} tabIndex={0}>
      {space > 0 && children(scale)}
    </div>
  );
}
