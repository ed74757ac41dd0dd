import { MapPin } from 'lucide-react';
import { createContext, use, type FocusEvent, type PointerEvent } from 'react';
import { words } from '../../words.ts';

/** Tells the inspector's last line what the control in hand changes. */
export const WhereContext = createContext<(where: string | null) => void>(() => undefined);

/** The line's id: every control of the inspector is described by it. */
export const WHERE = 'inspector-where';

/** Handlers for whatever holds a control: focus and pointer show what it changes. */
export function useWhere(where: string): {
  title: string;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
  onPointerEnter: (event: PointerEvent) => void;
  onPointerLeave: () => void;
} {
  const set = use(WhereContext);
  return {
    title: where,
    onFocus: () => set(where),
    onBlur: () => set(null),
    onPointerEnter: () => set(where),
    onPointerLeave: () => set(null),
  };
}

export function Where({ words: where }: { words: string | null }) {
  return (
    <div className="where" id={WHERE}>
      <MapPin size={13} aria-hidden />
      <span>{where ?? words.whereIdle}</span>
    </div>
  );
}
