import { Plus, X } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { canvasAgain, planNew } from '../../actions/canvas.ts';
import { SCHEMES, type Scheme } from '../../api/canvas.ts';
import { ActionButton, ActionIcon } from '../../components/ActionButton.tsx';
import { BREAKPOINTS } from '../../model/breakpoints.ts';
import { addPage, changeBoard, widthOf } from '../../model/canvas.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** Widths that are offered: those of devices. */
const DEVICES = BREAKPOINTS.flatMap(({ width }) => (width === null ? [] : [width]));

/** Which pages are shown, how wide, in which colours. */
export function BoardTools() {
  const editor = useEditor();
  const { pages, widths, schemes } = useModel((model) => model.board);
  const offered = [...new Set([...DEVICES, ...widths])].toSorted((one, other) => one - other);
  const addWidth = (text: string): boolean => {
    const width = widthOf(text);
    if (width === null) return false;
    changeBoard(editor, { widths: toggled(widths, width, true) });
    return true;
  };
  return (
    <div className="board-tools">
      <Tools label={messages.pages}>
        {pages.map((page) => (
          <span className="chip" key={page}>
            <span className="text">{page}</span>
            {pages.length > 1 && (
              <button type="button" aria-label={messages.removeNamed(page)} title={messages.removeNamed(page)} onClick={() => changeBoard(editor, { pages: pages.filter((each) => each !== page) })}>
                <X size={11} aria-hidden />
              </button>
            )}
          </span>
        ))}
        <Adding label={messages.pagePath} button={messages.addPage} add={(text) => (addPage(editor, text), true)} />
      </Tools>
      <Tools label={messages.widths}>
        {offered.map((width) => (
          <Toggle key={width} words={messages.pixels(width)} on={widths.includes(width)} last={widths.length === 1} change={(on) => changeBoard(editor, { widths: toggled(widths, width, on) })} />
        ))}
        <Adding label={messages.widthInPixels} button={messages.addWidth} numeric add={addWidth} />
      </Tools>
      <Tools label={messages.schemes}>
        {SCHEMES.map((scheme) => (
          <Toggle key={scheme} words={messages.scheme[scheme]} on={schemes.includes(scheme)} last={schemes.length === 1} change={(on) => changeBoard(editor, { schemes: SCHEMES.filter((each): each is Scheme => (each === scheme ? on : schemes.includes(each))) })} />
        ))}
      </Tools>
      <span className="gap" />
      <ActionIcon action={canvasAgain} small />
      <ActionButton action={planNew} label={messages.planNew} />
    </div>
  );
}

function toggled(widths: readonly number[], width: number, on: boolean): number[] {
  const others = widths.filter((each) => each !== width);
  return (on ? [...others, width] : others).toSorted((one, other) => one - other);
}

function Tools({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="tools" role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** One of several that are shown together; one always is. */
function Toggle({ words, on, last, change }: { words: string; on: boolean; last: boolean; change: (on: boolean) => void }) {
  return (
    <button type="button" className={`badge${on ? ' accent' : ''}`} aria-pressed={on} aria-disabled={on && last} onClick={() => (on && last ? undefined : change(!on))}>
      {words}
    </button>
  );
}

function Adding({ label, button, numeric = false, add }: { label: string; button: string; numeric?: boolean; add: (text: string) => boolean }) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '' && add(text.trim())) setText('');
  };
  return (
    <form className="adding" onSubmit={submit}>
      <input className={`input${numeric ? ' number' : ''}`} aria-label={label} title={label} placeholder={numeric ? messages.widthHint : messages.pageHint} spellCheck={false} inputMode={numeric ? 'numeric' : 'text'} value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="icon-button small" aria-label={button} title={button}>
        <Plus size={14} aria-hidden />
      </button>
    </form>
  );
}
