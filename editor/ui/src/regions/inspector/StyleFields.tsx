import { useId } from 'react';
import { Segments, type Segment } from '@kit/Segments.tsx';
import type { Inspection } from '../../api/inspection.ts';
import { messages } from '../../messages.ts';
import { FieldName } from './FieldName.tsx';
import { Lost } from './Lost.tsx';
import { useStyle } from './useStyle.ts';
import { ValueInput } from './ValueInput.tsx';
import { useWhere, WHERE } from './where.tsx';

interface Given {
  facts: Inspection;
  property: string;
  label: string;
}

/** A value as text, with its name or a sign beside it. */
export function ValueField({ facts, property, label, unit = 'px', prefix }: Given & { unit?: string; prefix?: string }) {
  const id = useId();
  const style = useStyle(facts, property);
  const told = useWhere(style.where, style.shared);
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
      <FieldName style={style} label={label} htmlFor={id} />
      {field}
      <Lost style={style} />
    </div>
  );
}

/** One of the values CSS knows. */
export function KeywordField({ facts, property, label, options }: Given & { options: readonly string[] }) {
  const id = useId();
  const style = useStyle(facts, property);
  const told = useWhere(style.where, style.shared);
  const value = style.asClass || style.declared === '' ? style.computed : style.declared;
  // What the page does not measure, as that of a component's use, is no option of its own.
  const all = options.includes(value) ? options : [value, ...options];
  // A style that is set can be taken away again; the page then shows what is behind it.
  const choose = (chosen: string): void => void style.commit(chosen === NOTHING ? null : chosen);
  return (
    <div className="row" {...told}>
      <FieldName style={style} label={label} htmlFor={id} />
      <select id={id} aria-describedby={WHERE} className="select" disabled={!style.editable} value={value} onChange={(event) => choose(event.target.value)}>
        {all.map((option) => (
          <option key={option} value={option} disabled={option === ''}>
            {option === '' ? messages.notMeasured : option}
          </option>
        ))}
        {style.declared !== '' && <option value={NOTHING}>{messages.unset(property)}</option>}
      </select>
      <Lost style={style} />
    </div>
  );
}

const NOTHING = '\u0000';

/** The same, where a few signs say it better. `like` are spellings of the same value. */
export function SignField({ facts, property, label, options }: Given & { options: readonly (Segment & { like?: readonly string[] })[] }) {
  const style = useStyle(facts, property);
  const told = useWhere(style.where, style.shared);
  const value = style.asClass || style.declared === '' ? style.computed : style.declared;
  const chosen = options.find((option) => option.value === value || option.like?.includes(value))?.value ?? value;
  return (
    <div className="row" {...told}>
      <FieldName style={style} label={label} />
      <Segments wide label={label} value={chosen} options={options} disabled={!style.editable} onChange={(next) => void style.commit(next)} />
      <Lost style={style} />
    </div>
  );
}
