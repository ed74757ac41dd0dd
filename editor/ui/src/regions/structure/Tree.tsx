import { useVirtualizer } from '@tanstack/react-virtual';
import { Box, ChevronRight, CodeXml, FileCode2 } from 'lucide-react';
import { useEffect, useId, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import type { Place } from '../../api/edit.ts';
import { movable, type Row } from '../../model/structure.ts';
import { State } from '@kit/State.tsx';
import { messages } from '../../messages.ts';

export interface Drop {
  from: Row;
  to: Row;
  place: Extract<Place, 'before' | 'after' | 'last'>;
}

export interface TreeProps {
  label: string;
  rows: Row[];
  /** The key of the selected row. */
  current: string | null;
  /** Rows that are selected besides. */
  also?: (row: Row) => boolean;
  onPick(row: Row): void;
  /** Selects one more: a click or Enter with Shift. */
  onAlso?: (row: Row) => void;
  onFold(row: Row, open: boolean): void;
  onHover(row: Row | null): void;
  onMenu(row: Row, at: { x: number; y: number }): void;
  onDrop(drop: Drop): void;
}

const ROW = 26;
const SIGNS = { element: CodeXml, component: Box, file: FileCode2 };

/** An ARIA tree of any length: one stop for Tab, arrow keys inside, only what is in view in the document. */
export function Tree({ label, rows, current, also, onAlso, onPick, onFold, onHover, onMenu, onDrop }: TreeProps) {
  const id = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [over, setOver] = useState<{ key: string; place: Drop['place'] } | null>(null);
  const dragged = useRef<Row | null>(null);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 12 });
  const items = virtual.getVirtualItems();
  const at = rows.findIndex((row) => row.key === (focused ?? current));

  useEffect(() => {
    if (current === null) return;
    setFocused(null);
    const index = rows.findIndex((row) => row.key === current);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
    // Rows change with every edit; only a new selection is worth scrolling for.
  }, [current]);

  const go = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    setFocused(row.key);
    virtual.scrollToIndex(rows.indexOf(row), { align: 'auto' });
    onHover(row);
  };
  const key = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowDown': go(at + 1); break;
      case 'ArrowUp': go(at < 0 ? 0 : at - 1); break;
      case 'Home': go(0); break;
      case 'End': go(rows.length - 1); break;
      case 'PageDown': go(at + 12); break;
      case 'PageUp': go(at - 12); break;
      case 'ArrowRight':
        if (row?.children && !row.expanded) onFold(row, true);
        else if (row?.expanded) go(at + 1);
        break;
      case 'ArrowLeft':
        if (row?.expanded) onFold(row, false);
        else if (row?.parent != null) go(rows.findIndex(({ key }) => key === row.parent));
        break;
      case 'Enter': case ' ':
        if (row && event.shiftKey && onAlso) onAlso(row);
        else if (row) onPick(row);
        break;
      case 'ContextMenu': case 'F10': {
        if (event.key === 'F10' && !event.shiftKey) return;
        const box = document.getElementById(`${id}-${at}`)?.getBoundingClientRect();
        if (row && box) onMenu(row, { x: box.left + 40, y: box.bottom });
        break;
      }
      // Deleting is for what is selected; a row that only has the focus is selected first.
      case 'Delete': case 'Backspace':
        if (!row || row.key === current) return;
        onPick(row);
        break;
      default: {
        if (event.key.length !== 1 || event.shiftKey) return;
        // Typing the beginning of a name goes there.
        const next = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(({ name }) => name.toLowerCase().startsWith(event.key.toLowerCase()));
        // Anything else may be a shortcut.
        if (!next) return;
        go(rows.indexOf(next));
      }
    }
    event.preventDefault();
  };
  const drag = (row: Row, event: DragEvent): void => {
    const from = dragged.current;
    if (!from || !movable(from, row)) return setOver(null);
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientY - box.top) / box.height;
    setOver({ key: row.key, place: share < 0.28 ? 'before' : share > 0.72 || !row.children ? 'after' : 'last' });
  };

  if (rows.length === 0) return <State title={messages.nothingFound} />;
  return (
    <div ref={scroll} className="scroll">
      <div
        className="tree"
        role="tree"
        aria-label={label}
        aria-multiselectable={onAlso !== undefined}
        tabIndex={0}
        aria-activedescendant={items.some(({ index }) => index === at) ? `${id}-${at}` : undefined}
        onKeyDown={key}
        onFocus={() => (at < 0 ? go(0) : undefined)}
        onPointerLeave={() => onHover(null)}
      >
        <div className="tree-space" role="presentation" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const Sign = SIGNS[row.kind];
            const dropping = over?.key === row.key ? ` drop-${over.place}` : '';
            return (
              <div
                key={row.key}
                id={`${id}-${index}`}
                role="treeitem"
                className={`tree-row ${row.kind}${index === at ? ' current' : ''}${dropping}`}
                aria-level={row.level}
                aria-posinset={row.position}
                aria-setsize={row.siblings}
                aria-selected={row.key === current || also?.(row) === true}
                aria-expanded={row.children ? row.expanded : undefined}
                style={{ transform: `translateY(${start}px)`, paddingLeft: 4 + Math.min(row.level - 1, 16) * 12 }}
                draggable={row.kind !== 'file'}
                onClick={(event) => (event.shiftKey && onAlso ? onAlso(row) : onPick(row))}
                onPointerEnter={() => onHover(row)}
                onContextMenu={(event) => (event.preventDefault(), onMenu(row, { x: event.clientX, y: event.clientY }))}
                onDragStart={(event) => ((dragged.current = row), event.dataTransfer.setData('text/plain', row.src))}
                onDragOver={(event) => drag(row, event)}
                onDragEnd={() => ((dragged.current = null), setOver(null))}
                onDrop={(event) => {
                  event.preventDefault();
                  if (dragged.current && over) onDrop({ from: dragged.current, to: row, place: over.place });
                  setOver(null);
                }}
              >
                <span className="turn" onClick={(event) => (event.stopPropagation(), row.children ? onFold(row, !row.expanded) : onPick(row))}>
                  {row.children && <ChevronRight size={12} aria-hidden />}
                </span>
                <Sign className="sign" size={13} aria-hidden />
                <span className="name">{row.name}</span>
                {row.mark !== '' && <span className="mark">{row.mark}</span>}
                {row.text !== '' && <span className="text">{row.text}</span>}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

export function FindField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <div className="find">
      <input className="input" type="search" placeholder={messages.find} aria-label={messages.find} value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
