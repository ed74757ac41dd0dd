import { X } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { matching } from '../../model/classes.ts';
import { edit } from '../../model/edits.ts';
import { loadClasses } from '../../model/loading.ts';
import { longPlace } from '../../model/place.ts';
import { Section } from '../../parts/Section.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { ClassInfo, Inspection } from '../../wire/inspection.ts';
import { known } from '../../wire/result.ts';
import { words } from '../../words.ts';
import { useWhere, WHERE } from './where.tsx';

const NONE: ClassInfo[] = [];

export function Classes({ facts }: { facts: Inspection }) {
  const editor = useEditor();
  const { list, editable, why } = facts.classes;
  const told = useWhere(editable ? `Changes the class list at ${longPlace(facts.src)}` : (why ?? words.noClasses));
  const remove = (name: string): void => void edit(editor, { kind: 'class', add: [], remove: [name] }, { title: `Remove ${name}` });
  return (
    <Section title={words.classes}>
      <div {...told} style={{ display: 'grid', gap: 8 }}>
        {list.length > 0 && (
          <ul className="chips">
            {list.map((name, index) => (
              <li key={`${name}${index}`} className="chip">
                <span className="text">{name}</span>
                {editable && (
                  <button type="button" aria-label={words.removeNamed(name)} onClick={() => remove(name)}>
                    <X size={11} aria-hidden />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {list.length === 0 && <p className="help">{words.noClasses}</p>}
        {editable ? <Add /> : why !== null && <p className="notice">{why}</p>}
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
  useEffect(() => {
    if (classes.is === 'idle' && open) void loadClasses(editor);
  }, [editor, classes, open]);
  const found = useMemo(() => matching(known(classes) ?? NONE, text, 40), [classes, text]);
  const shown = open && found.length > 0;
  const add = (value: string): void => {
    const names = value.split(/\s+/).filter((name) => name !== '');
    if (names.length === 0) return;
    setText('');
    setAt(-1);
    void edit(editor, { kind: 'class', add: names, remove: [] }, { title: `Add ${names.join(' ')}` });
  };
  return (
    <div style={{ position: 'relative' }}>
      <input
        className="input mono"
        role="combobox"
        aria-describedby={WHERE}
        aria-label={words.addClass}
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
        placeholder={words.addClass}
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
      {shown && (
        <div className="options" role="listbox" id={`${id}-list`} aria-label={words.classes}>
          {found.map(({ name, from, preview }, index) => (
            <div
              key={name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              className="option"
              ref={(element) => (index === at ? element?.scrollIntoView({ block: 'nearest' }) : undefined)}
              onPointerDown={(event) => (event.preventDefault(), add(name))}
            >
              <code>{name}</code>
              <span className="from">{preview || from}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
