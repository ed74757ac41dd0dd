import { Popover } from 'radix-ui';
import { useId } from 'react';
import { HexAlphaColorPicker } from 'react-colorful';
import { formatColour, parseColour, readableColour, themeColours } from '../../model/colours.ts';
import { loadClasses } from '../../model/loading.ts';
import { useDraft } from '../../parts/useDraft.ts';
import { useEditor, useModel } from '../../react/use.ts';
import type { Inspection } from '../../wire/inspection.ts';
import { known } from '../../wire/result.ts';
import { words } from '../../words.ts';
import { useStyle, type StyleControl } from './useStyle.ts';
import { useWhere, WHERE } from './where.tsx';

/** A colour: as text, from the project's own colours, or picked. */
export function ColourField({ facts, property, label }: { facts: Inspection; property: string; label: string }) {
  const id = useId();
  const editor = useEditor();
  const style = useStyle(facts, property);
  const told = useWhere(style.where);
  const { draft, setDraft, dirty, sent, reset } = useDraft(style.declared);
  // A variable means the prototype's, and is not known here: what the page makes of it is.
  const shown = draft === style.declared || draft.includes('var(') || !CSS.supports('color', draft) ? style.computed : draft;
  const change = (value: string): void => {
    setDraft(value);
    if (CSS.supports('color', value)) style.preview(value);
  };
  const save = async (value: string): Promise<void> => {
    sent(value);
    const good = value.trim() === '' || CSS.supports('color', value);
    if (!good || !(await style.commit(value.trim() === '' ? null : value.trim()))) reset();
  };
  const open = (now: boolean): void => {
    if (now && editor.store.getState().classes.is === 'idle') void loadClasses(editor);
    if (!now && dirty) void save(draft);
  };
  return (
    <div className="row" {...told}>
      <label className={`name${style.declared === '' ? '' : ' declared'}`} htmlFor={id}>
        {label}
      </label>
      <div className="colour">
        <Popover.Root onOpenChange={open}>
          <Popover.Trigger disabled={!style.editable} aria-label={words.pick(label)}>
            <Swatch value={shown} />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content className="popover" side="left" sideOffset={10} collisionPadding={8} aria-label={words.pick(label)}>
              <Picker style={style} value={shown} onChange={change} onPick={(value) => (change(value), void save(value))} />
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
        <input
          id={id}
          aria-describedby={WHERE}
          className="input"
          readOnly={!style.editable}
          placeholder={readableColour(style.computed)}
          spellCheck={false}
          value={draft}
          onChange={(event) => change(event.target.value)}
          onBlur={() => (dirty ? void save(draft) : undefined)}
          onKeyDown={(event) => (event.key === 'Enter' && dirty ? void save(draft) : event.key === 'Escape' ? (reset(), style.preview(null)) : undefined)}
        />
      </div>
    </div>
  );
}

function Picker({ style, value, onChange, onPick }: { style: StyleControl; value: string; onChange: (value: string) => void; onPick: (value: string) => void }) {
  const classes = useModel((model) => model.classes);
  const theme = themeColours(known(classes) ?? []);
  const told = useWhere(style.where);
  return (
    <div className="picker" {...told}>
      <HexAlphaColorPicker color={pickable(value)} onChange={onChange} />
      {theme.length > 0 && (
        <>
          <span className="meta">{words.themeColours}</span>
          <div className="theme-colours">
            {theme.map(({ name, value: colour }) => (
              <button key={name} type="button" title={`${name}: ${colour}`} aria-label={name} onClick={() => onPick(colour)}>
                <Swatch value={colour} />
              </button>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

/** The picker knows hex only. */
function pickable(value: string): string {
  const colour = parseColour(value);
  return colour ? formatColour(colour) : '#000000';
}

export function Swatch({ value }: { value: string }) {
  return (
    <span className="swatch" aria-hidden>
      <span style={{ background: value }} />
    </span>
  );
}
