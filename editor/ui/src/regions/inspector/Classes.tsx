import { X } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { matching } from '../../model/classes.ts';
import { edit } from '../../model/edits.ts';
import { mayAsk } from '../../model/models.ts';
import { longPlace } from '../../model/place.ts';
import { comboOf, Options } from '@kit/Options.tsx';
import { Section } from '../../components/Section.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { ClassInfo, Inspection } from '../../api/inspection.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';
import { useWhere, WHERE } from './where.tsx';

const NONE: ClassInfo[] = [];

export function Classes({ facts }: { facts: Inspection }) {
  const editor = useEditor();
  const { list, editable, why } = facts.classes;
  const told = useWhere(editable ? `Changes the class list at ${longPlace(facts.src)}` : (why ?? messages.noClasses));
  const tries = useModel(mayAsk);
  const remove = (name: string): void => void edit(editor, { kind: 'class', add: [], remove: [name] }, { title: `Remove ${name}` });
  return (
    <Section title={messages.classes}>
      <div {...told} style={{ display: 'grid', gap: 8 }}>
        {list.length > 0 && (
          <ul className="chips">
            {list.map((name, index) => (
              <li key={`${name}${index}`} className="chip">
                <span className="text">{name}</span>
                {editable && (
                  <button type="button" aria-label={messages.removeNamed(name)} onClick={() => remove(name)}>
                    <X size={11} aria-hidden />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {list.length === 0 && <p className="help">{messages.noClasses}</p>}
        {(editable || tries) && <Add />}
        {!editable && why !== null && <p className="notice">{why}</p>}
      </div>
    </Section>
  );
}

/** A combobox over the classes of the project; anything else can be typed too. */
function Add() {
  const editor = useEditor();
  const id = useId();
  const classes = useModel((model) => model.classes);
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const found = useMemo(() => matching(known(classes)?.classes ?? NONE, text, 40), [classes, text]);
  const shown = open && found.length > 0;
  const add = (value: string): void => {
    const names = value.split(/\s+/).filter((name) => name !== '');
    if (names.length === 0) return;
    setText('');
    setAt(-1);
    void edit(editor, { kind: 'class', add: names, remove: [] }, { title: `Add ${names.join(' ')}` });
  };
  return (
    <Options id={id} label={messages.classes} options={found.map(({ name, preview, from }) => ({ value: name, hint: preview || from || '' }))} at={at} open={shown} onPick={add}>
      <input
        {...comboOf(id, shown, at)}
        className="input mono"
        aria-describedby={WHERE}
        aria-label={messages.addClass}
        placeholder={messages.addClass}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setText(event.target.value);
          setAt(-1);
          setOpen(true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt((now) => Math.min(found.length - 1, now + 1));
          else if (event.key === 'ArrowUp') setAt((now) => Math.max(-1, now - 1));
          else if (event.key === 'Enter') add(found[at]?.name ?? text);
          else if (event.key === 'Tab' && at >= 0) return setText(found[at]?.name ?? text), event.preventDefault();
          else if (event.key === 'Escape') return open ? setOpen(false) : setText('');
          else return;
          event.preventDefault();
        }}
      />
    </Options>
  );
}
