import { useId, useState, type KeyboardEvent } from 'react';
import { readableLength, stepped, typedValue } from '../../model/lengths.ts';
import { Segments } from '../../parts/Segments.tsx';
import { useDraft } from '../../parts/useDraft.ts';
import type { Inspection } from '../../wire/inspection.ts';
import { useStyle, type StyleControl } from './useStyle.ts';
import { useWhere, WHERE } from './where.tsx';

interface Given {
  facts: Inspection;
  property: string;
  label: string;
}

/** A value as text; arrow keys step numbers. What the page computes is the placeholder. */
export function ValueField({ facts, property, label, unit = 'px', prefix }: Given & { unit?: string; prefix?: string }) {
  const id = useId();
  const style = useStyle(facts, property);
  const told = useWhere(style.where);
  const field = <ValueInput id={id} style={style} unit={unit} label={label} />;
  if (prefix !== undefined) {
    return (
      <span className="prefixed" {...told}>
        <span className="prefix" aria-hidden>
          {prefix}
        </span>
        {field}
      </span>
    );
  }
  return (
    <div className="row" {...told}>
      <label className={`name${style.declared === '' ? '' : ' declared'}`} htmlFor={id}>
        {label}
      </label>
      {field}
    </div>
  );
}

export function ValueInput({ id, style, unit, label, short = false }: { id?: string; style: StyleControl; unit: string; label: string; short?: boolean }) {
  const { draft, setDraft, dirty, sent, reset } = useDraft(style.declared);
  const [wrong, setWrong] = useState(false);
  const save = async (text: string): Promise<void> => {
    const value = typedValue(text, unit);
    if (value !== null && !CSS.supports(style.property, value)) return setWrong(true);
    setWrong(false);
    sent(text);
    if (!(await style.commit(value))) reset();
  };
  const change = (text: string): void => {
    setDraft(text);
    setWrong(false);
    const value = typedValue(text, unit);
    if (value !== null && CSS.supports(style.property, value)) style.preview(value);
  };
  const key = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') return dirty ? void save(draft) : undefined;
    if (event.key === 'Escape') {
      reset();
      setWrong(false);
      style.preview(null);
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const next = stepped(draft === '' ? style.computed : draft, event.key === 'ArrowUp' ? 1 : -1, { shift: event.shiftKey, alt: event.altKey }, unit);
      if (next === null || !style.editable) return;
      event.preventDefault();
      change(next);
    }
  };
  return (
    <input
      {...(id === undefined ? { 'aria-label': label } : { id, 'aria-label': label })}
      aria-describedby={WHERE}
      className={`input${style.declared === '' ? '' : ' declared-value'}`}
      readOnly={!style.editable}
      aria-invalid={wrong}
      placeholder={short ? readableLength(style.computed).replace(/px$/, '') : readableLength(style.computed)}
      spellCheck={false}
      value={draft}
      onChange={(event) => change(event.target.value)}
      onBlur={() => (dirty ? void save(draft) : undefined)}
      onKeyDown={key}
    />
  );
}

/** One of the values CSS knows. */
export function KeywordField({ facts, property, label, options }: Given & { options: readonly string[] }) {
  const id = useId();
  const style = useStyle(facts, property);
  const told = useWhere(style.where);
  const value = style.declared === '' ? style.computed : style.declared;
  const all = options.includes(value) || value === '' ? options : [value, ...options];
  return (
    <div className="row" {...told}>
      <label className={`name${style.declared === '' ? '' : ' declared'}`} htmlFor={id}>
        {label}
      </label>
      <select id={id} aria-describedby={WHERE} className="select" disabled={!style.editable} value={value} onChange={(event) => void style.commit(event.target.value)}>
        {all.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </div>
  );
}

/** The same, where a few signs say it better. */
export function SignField({ facts, property, label, options }: Given & { options: readonly { value: string; label: string; show: React.ReactNode }[] }) {
  const style = useStyle(facts, property);
  const told = useWhere(style.where);
  const value = style.declared === '' ? style.computed : style.declared;
  return (
    <div className="row" {...told}>
      <span className={`name${style.declared === '' ? '' : ' declared'}`}>{label}</span>
      <Segments wide label={label} value={value} options={options} disabled={!style.editable} onChange={(next) => void style.commit(next)} />
    </div>
  );
}
