import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState, type KeyboardEvent } from 'react';
import { searchDirectory, type Person } from '../api/settings.ts';

/** A field that finds people of the directory. What is typed can also be sent as it is: an address. */
export function PersonPicker({ label, value, onChange, onPick, taken, nothing }: { label: string; value: string; onChange: (value: string) => void; onPick: (person: Person) => void; taken: ReadonlySet<string>; nothing: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const q = useDeferredValue(value.trim());
  const { data } = useQuery({ queryKey: ['directory', q], queryFn: ({ signal }) => searchDirectory(q.slice(0, 100), signal), enabled: isOpen, placeholderData: (before) => before });
  const found = (data ?? []).filter(({ userId }) => !taken.has(userId)).slice(0, 8);
  const pick = (person: Person | undefined): void => {
    if (!person) return;
    setOpen(false);
    onPick(person);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      setAt((at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % Math.max(1, found.length));
    } else if (event.key === 'Enter' && isOpen && found.length > 0 && !value.includes('@')) {
      event.preventDefault();
      pick(found[at]);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  const shown = isOpen && (found.length > 0 || (q !== '' && !q.includes('@') && data !== undefined));
  return (
    <div className="picker-field">
      <input
        className="input"
        role="combobox"
        aria-label={label}
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown && found.length > 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        value={value}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => (onChange(event.target.value), setOpen(true), setAt(0))}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} className="picker-list" hidden={!shown}>
        {found.map((person, index) => (
          // The field keeps the focus: a blur would close the list before the click.
          <li key={person.userId} id={`${id}-${index}`} role="option" aria-selected={index === at} className="picker-option" onMouseDown={(event) => event.preventDefault()} onClick={() => pick(person)} onMouseEnter={() => setAt(index)}>
            <span>{person.displayName}</span>
            <span className="soft">{person.email}</span>
          </li>
        ))}
        {found.length === 0 && (
          <li role="option" aria-selected={false} aria-disabled className="picker-option soft">
            {nothing}
          </li>
        )}
      </ul>
    </div>
  );
}
