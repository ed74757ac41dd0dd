import { Popover } from 'radix-ui';
import { useId, useState } from 'react';
import { HexAlphaColorPicker } from 'react-colorful';
import { colourFamilies, formatColour, parseColour, readableColour, themeColours, withRecent } from '../../model/colours.ts';
import { useEditor, useModel } from '../../react/use.ts';
import type { Inspection } from '../../api/inspection.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';
import { FieldName } from './FieldName.tsx';
import { Lost } from './Lost.tsx';
import { RecentColours } from './RecentColours.tsx';
import { Swatch } from './Swatch.tsx';
import { useStyle, type StyleControl } from './useStyle.ts';
import { ValueInput } from './ValueInput.tsx';
import { useWhere } from './where.tsx';

/** A colour: as text, from the project's own colours, or picked. */
export function ColourField({ facts, property, label }: { facts: Inspection; property: string; label: string }) {
  const id = useId();
  const style = useStyle(facts, property);
  const editor = useEditor();
  const told = useWhere(style.where, style.shared);
  const [picked, setPicked] = useState<string | null>(null);
  const pick = (value: string): void => {
    setPicked(value);
    style.preview(value);
  };
  const write = (value: string): void => {
    setPicked(null);
    editor.store.setState(({ recentColours }) => ({ recentColours: withRecent(recentColours, value) }));
    void style.commit(value);
  };
  return (
    <div className="row" {...told}>
      <FieldName style={style} label={label} htmlFor={id} />
      <div className="colour">
        <Popover.Root onOpenChange={(open) => (!open && picked !== null ? write(picked) : undefined)}>
          <Popover.Trigger disabled={!style.editable} aria-label={messages.pick(label)}>
            <Swatch value={picked ?? style.computed} />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content className="popover" side="left" sideOffset={96} collisionPadding={8} aria-label={messages.pick(label)}>
              <Picker style={style} value={picked ?? style.computed} onChange={pick} onPick={write} />
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
        <ValueInput id={id} style={style} unit="" label={label} placeholder={readableColour(style.computed)} />
      </div>
      <Lost style={style} />
    </div>
  );
}

function Picker({ style, value, onChange, onPick }: { style: StyleControl; value: string; onChange: (value: string) => void; onPick: (value: string) => void }) {
  const classes = useModel((model) => model.classes);
  // A colour of the theme is written by its name where it becomes a class, else as what it is.
  const named = new Map(style.scale.map((each) => [each.name.replace(/^[a-z]+-/, ''), each.name]));
  // A variable stays a variable: those of the project come before whatever is mixed.
  const tokens = (known(classes)?.tokens ?? []).filter(({ standsFor }) => CSS.supports('color', standsFor));
  const families = colourFamilies(themeColours(known(classes)?.classes ?? []));
  const told = useWhere(style.where, style.shared);
  return (
    <div className="picker" {...told}>
      <HexAlphaColorPicker color={pickable(value)} onChange={onChange} />
      <p className="meta">{style.where}</p>
      {tokens.length > 0 && (
        <>
          <span className="meta">{messages.variables}</span>
          <div className="theme-colours">
            <div className="family" role="group" aria-label={messages.variables}>
              {tokens.map(({ name, standsFor }) => (
                <button key={name} type="button" title={`${name}: ${standsFor}`} aria-label={name} aria-pressed={style.declared === `var(${name})`} onClick={() => onPick(`var(${name})`)}>
                  <Swatch value={standsFor} />
                </button>
              ))}
            </div>
          </div>
        </>
      )}
      <RecentColours onPick={onPick} />
      {families.length > 0 && (
        <>
          <span className="meta">{messages.themeColours}</span>
          <div className="theme-colours">
            {families.map(({ family, colours }) => (
              <div key={family} className="family" role="group" aria-label={family}>
                {colours.map(({ name, value: colour }) => (
                  <button key={name} type="button" title={`${named.get(name) ?? name}: ${colour}`} aria-label={name} aria-pressed={named.get(name) === style.declared} onClick={() => onPick(named.get(name) ?? colour)}>
                    <Swatch value={colour} />
                  </button>
                ))}
              </div>
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
