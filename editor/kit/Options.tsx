import { Popover } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export interface Option {
  value: string;
  /** What people read; the value itself when it is not given, as code. */
  label?: string;
  /** What stands beside it. */
  hint?: string;
  sign?: ReactNode;
}

/** The list below a field that one types into. The focus stays in the field, which says with `aria-activedescendant` where it is. */
export function Options({ id, label, options, at, open, onPick, children }: { id: string; label: string; options: readonly Option[]; at: number; open: boolean; onPick: (value: string) => void; children: ReactElement }) {
  const shown = open && options.length > 0;
  return (
    <Popover.Root open={shown}>
      <Popover.Anchor asChild>{children}</Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          className="options"
          role="listbox"
          id={listOf(id)}
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          {options.map(({ value, label: name, hint, sign }, index) => (
            <div
              key={value}
              id={optionOf(id, index)}
              role="option"
              aria-selected={index === at}
              className="option"
              ref={(element) => (index === at ? element?.scrollIntoView({ block: 'nearest' }) : undefined)}
              onPointerDown={(event) => (event.preventDefault(), onPick(value))}
            >
              {name === undefined ? (
                <code>
                  {sign}
                  {value}
                </code>
              ) : (
                <span>{name}</span>
              )}
              {hint !== undefined && <span className="from">{hint}</span>}
            </div>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** What a field says of its list. */
export function comboOf(id: string, shown: boolean, at: number): { role: 'combobox'; 'aria-expanded': boolean; 'aria-controls': string; 'aria-autocomplete': 'list'; 'aria-activedescendant': string | undefined } {
  return {
    role: 'combobox',
    'aria-expanded': shown,
    'aria-controls': listOf(id),
    'aria-autocomplete': 'list',
    'aria-activedescendant': shown && at >= 0 ? optionOf(id, at) : undefined,
  };
}

/** The same for a field of several lines, which is no combobox. */
export function listedOf(id: string, shown: boolean, at: number): { 'aria-autocomplete': 'list'; 'aria-controls': string | undefined; 'aria-activedescendant': string | undefined } {
  return { 'aria-autocomplete': 'list', 'aria-controls': shown ? listOf(id) : undefined, 'aria-activedescendant': shown ? optionOf(id, at) : undefined };
}

const listOf = (id: string): string => `${id}-list`;
const optionOf = (id: string, index: number): string => `${id}-${index}`;
