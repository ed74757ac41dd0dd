import { useId, useState, type KeyboardEvent } from 'react';
import { readableLength, stepped, typedValue } from '../../model/lengths.ts';
import { fitting, valueOf } from '../../model/utilities.ts';
import { toast } from '../../model/say.ts';
import { comboOf, Options } from '@kit/Options.tsx';
import { useDraft } from '../../components/useDraft.ts';
import { useEditor } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { Swatch } from './Swatch.tsx';
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

/** A value as text; with Tailwind a class of the theme's scale. */
export function ValueInput(given: Given) {
  return given.style.asClass && given.style.scale.length > 0 ? <ScaleInput {...given} /> : <NumberInput {...given} />;
}

/** A draft of the value that the page shows while it is typed, and that is written with Enter or when the field is left. */
function useValue(style: StyleControl, unit: string) {
  const editor = useEditor();
  const { draft, setDraft, dirty, sent, reset } = useDraft(style.declared);
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
    if (!(await style.commit(value))) reset();
  };
  const change = (text: string): void => {
    setDraft(text);
    setWrong(false);
    const value = valueFrom(text);
    if (value !== null && CSS.supports(style.property, value)) style.preview(value);
  };
  const giveUp = (): void => {
    reset();
    setWrong(false);
    style.preview(null);
  };
  return { draft, dirty, wrong, save, change, giveUp };
}

function propsOf({ id, style, label, placeholder = readableLength(style.computed) }: Given, wrong: boolean) {
  return {
    ...(id === undefined ? {} : { id }),
    'aria-label': label,
    'aria-describedby': WHERE,
    'aria-invalid': wrong,
    readOnly: !style.editable,
    placeholder,
    spellCheck: false,
    autoComplete: 'off',
  };
}

/** Arrow keys step numbers. */
function NumberInput(given: Given) {
  const { style, unit } = given;
  const { draft, dirty, wrong, save, change, giveUp } = useValue(style, unit);
  const key = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') return dirty ? void save(draft) : undefined;
    if (event.key === 'Escape') return giveUp();
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const next = stepped(draft === '' ? style.computed : draft, event.key === 'ArrowUp' ? 1 : -1, { shift: event.shiftKey, alt: event.altKey }, unit);
    if (next === null || !style.editable) return;
    event.preventDefault();
    change(next);
  };
  return (
    <input
      {...propsOf(given, wrong)}
      className={`input${style.declared === '' ? '' : ' declared-value'}`}
      value={draft}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => change(event.target.value)}
      onBlur={() => (dirty ? void save(draft) : undefined)}
      onKeyDown={key}
    />
  );
}

/** Arrow keys walk along the theme's scale, and the page goes along; any other value can be typed too. */
function ScaleInput(given: Given) {
  const { style, unit, label } = given;
  const id = useId();
  const { draft, dirty, wrong, save, change, giveUp } = useValue(style, unit);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const options = open ? fitting(style.scale, typed) : [];
  const at = options.findIndex(({ name }) => name === draft);
  const shown = open && options.length > 0;
  const close = (): void => {
    setOpen(false);
    setTyped('');
  };
  const write = (text: string): void => {
    close();
    if (text !== style.declared) void save(text);
  };
  const step = (by: 1 | -1): void => {
    setOpen(true);
    const from = at >= 0 ? at : by === 1 ? -1 : options.length;
    const next = (shown ? options : style.scale)[Math.min(options.length - 1, Math.max(0, from + by))];
    if (next) change(next.name);
  };
  const key = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') write(draft);
    else if (event.key === 'Escape') {
      close();
      giveUp();
    } else if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else return;
    event.preventDefault();
  };
  return (
    <Options
      id={id}
      label={messages.scaleOf(label)}
      options={options.map((each) => ({ value: each.name, hint: valueOf(each), ...(style.property.endsWith('color') ? { sign: <Swatch value={valueOf(each)} /> } : {}) }))}
      at={at}
      open={shown}
      onPick={(name) => {
        change(name);
        write(name);
      }}
    >
      <input
        {...propsOf(given, wrong)}
        {...comboOf(id, shown, at)}
        className={`input${style.declared === '' ? '' : ' mono declared-value'}`}
        value={draft}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => (style.editable ? setOpen(true) : undefined)}
        onBlur={() => {
          close();
          if (dirty) void save(draft);
        }}
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
