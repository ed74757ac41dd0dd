import { useId, useState, type KeyboardEvent } from 'react';
import { readableLength, stepped, typedValue } from '../../model/lengths.ts';
import { fitting, valueOf } from '../../model/utilities.ts';
import { toast } from '../../model/say.ts';
import { comboOf, Options } from '@kit/Options.tsx';
import { useDraft } from '../../components/useDraft.ts';
import { useEditor } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { Swatch } from './Swatch.tsx';
import { useAim } from './useAimedDraft.ts';
import type { StyleControl } from './useStyle.ts';
import { WHERE } from './where.tsx';

interface Given {
  id?: string;
  style: StyleControl;
  unit: string;
  label: string;
  /** What the page computes, as people read it. */
  placeholder?: string;
}

/** A draft of the value that the page shows while it is typed, and that is written with Enter or when the field is left. */
function useValue(style: StyleControl, unit: string) {
  const editor = useEditor();
  const { draft, setDraft, dirty, sent, reset } = useDraft(style.declared, style.facts);
  const { begin, end } = useAim();
  const [wrong, setWrong] = useState(false);
  const valueFrom = (text: string): string | null => {
    const named = style.scale.find(({ name }) => name === text.trim());
    return named ? valueOf(named) : typedValue(text, unit);
  };
  const stands = (text: string): boolean => style.scale.some(({ name }) => name === text.trim());
  const save = async (text: string): Promise<void> => {
    const value = stands(text) ? text.trim() : typedValue(text, unit);
    if (value !== null && !stands(text) && !CSS.supports(style.property, value)) {
      setWrong(true);
      toast(editor, { tone: 'bad', title: messages.notSet(style.property), words: messages.noValue(text.trim(), style.property, style.scale.length > 0) });
      return;
    }
    setWrong(false);
    sent(text);
    const aim = begin();
    if (!(await style.commit(value, aim))) reset();
    end(aim);
  };
  const change = (text: string): void => {
    begin();
    setDraft(text);
    setWrong(false);
    const value = valueFrom(text);
    if (value !== null && CSS.supports(style.property, value)) style.preview(value);
  };
  const giveUp = (): void => {
    end();
    reset();
    setWrong(false);
    style.preview(null);
  };
  return { draft, dirty, wrong, save, change, giveUp };
}

/**
 * A value as text; with Tailwind a class of the theme's scale or any other value. Arrow keys walk along the scale, else they step numbers.
 * The theme is read while people type already: the field stays the same one when its scale comes.
 */
export function ValueInput({ id, style, unit, label, placeholder = readableLength(style.computed) }: Given) {
  const list = useId();
  const { draft, dirty, wrong, save, change, giveUp } = useValue(style, unit);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const scaled = style.asClass && style.scale.length > 0;
  const options = open && scaled ? fitting(style.scale, typed) : [];
  const at = options.findIndex(({ name }) => name === draft);
  const shown = options.length > 0;
  const close = (): void => {
    setOpen(false);
    setTyped('');
  };
  const finish = (): void => {
    close();
    if (dirty) void save(draft);
  };
  const walk = (by: 1 | -1): void => {
    setOpen(true);
    const all = shown ? options : style.scale;
    const now = all.findIndex(({ name }) => name === draft);
    const from = now >= 0 ? now : by === 1 ? -1 : all.length;
    const next = all[Math.min(all.length - 1, Math.max(0, from + by))];
    if (next) change(next.name);
  };
  const step = (by: 1 | -1, event: KeyboardEvent<HTMLInputElement>): boolean => {
    const next = stepped(draft === '' ? style.computed : draft, by, { shift: event.shiftKey, alt: event.altKey }, unit);
    if (next === null || !style.editable) return false;
    change(next);
    return true;
  };
  const key = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') finish();
    else if (event.key === 'Escape') {
      close();
      giveUp();
    } else if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    else if (scaled) walk(event.key === 'ArrowDown' ? 1 : -1);
    else if (!step(event.key === 'ArrowUp' ? 1 : -1, event)) return;
    event.preventDefault();
  };
  return (
    <Options
      id={list}
      label={messages.scaleOf(label)}
      options={options.map((each) => ({ value: each.name, hint: valueOf(each), ...(style.property.endsWith('color') ? { sign: <Swatch value={valueOf(each)} /> } : {}) }))}
      at={at}
      open={shown}
      onPick={(name) => {
        close();
        change(name);
        if (name !== style.declared) void save(name);
      }}
    >
      <input
        {...(id === undefined ? {} : { id })}
        {...(scaled ? comboOf(list, shown, at) : {})}
        className={`input${style.declared === '' ? '' : scaled ? ' mono declared-value' : ' declared-value'}`}
        aria-label={label}
        aria-describedby={WHERE}
        aria-invalid={wrong}
        readOnly={!style.editable}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={draft}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => (style.editable ? setOpen(true) : undefined)}
        onBlur={finish}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
          change(event.target.value);
        }}
        onKeyDown={key}
      />
    </Options>
  );
}
