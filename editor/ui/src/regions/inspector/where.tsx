import { MapPin } from 'lucide-react';
import { createContext, use, useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import { Segments } from '@kit/Segments.tsx';
import { messages } from '../../messages.ts';

/** How far a change of what many elements share reaches; `null` is asked for when it is made. */
export type Reach = 'all' | 'item' | null;

/** What a control says of itself before it changes anything. */
interface Told {
  where: string;
  /** Of how many places of the source the declaration is; more than one can be left by "only here". */
  shared: number;
}

/** A control that spoke. */
interface Spoken {
  control: string;
  told: Told;
}

interface Telling {
  focus(control: string, told: Told | null): void;
  point(control: string, told: Told): void;
  /** What a control says is another thing now. */
  renew(control: string, told: Told): void;
}

const WhereContext = createContext<Telling>({ focus: () => undefined, point: () => undefined, renew: () => undefined });
const ReachContext = createContext<Reach>(null);

/** The line's id: every control of the inspector is described by it. */
export const WHERE = 'inspector-where';

/** Handlers for whatever holds a control: focus and pointer show what it changes. */
export function useWhere(where: string, shared = 1): { title: string; onFocus: () => void; onBlur: () => void; onPointerEnter: () => void } {
  const { focus, point, renew } = use(WhereContext);
  const control = useId();
  const told = { where, shared };
  useEffect(() => renew(control, { where, shared }), [renew, control, where, shared]);
  return {
    title: where,
    onFocus: () => focus(control, told),
    onBlur: () => focus(control, null),
    onPointerEnter: () => point(control, told),
  };
}

export function useReach(): Reach {
  return use(ReachContext);
}

/** The controls, and below them the line that says what the one in hand changes. */
export function WithWhere({ children }: { children: ReactNode }) {
  const [focused, setFocused] = useState<Spoken | null>(null);
  const [pointed, setPointed] = useState<Spoken | null>(null);
  const [reach, setReach] = useState<Reach>(null);
  // The same for as long as the element is selected: pointing about must not make every control anew.
  const telling = useMemo((): Telling => {
    const renewed = (control: string, told: Told) => (now: Spoken | null): Spoken | null => (now?.control === control ? { control, told } : now);
    return {
      focus: (control, told) => {
        setFocused((now) => (told !== null ? { control, told } : now?.control === control ? null : now));
        if (told !== null) setPointed(null);
      },
      // What was pointed at last stays: its line can be pointed at too.
      point: (control, told) => setPointed({ control, told }),
      renew: (control, told) => {
        setFocused(renewed(control, told));
        setPointed(renewed(control, told));
      },
    };
  }, []);
  const told = (pointed ?? focused)?.told ?? null;
  const shared = told?.shared ?? 1;
  // The line has grown: it must not lie over the control it speaks of.
  useEffect(() => {
    if (shared > 1 && focused !== null && pointed === null) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [shared, focused, pointed]);
  return (
    <WhereContext value={telling}>
      <ReachContext value={reach}>{children}</ReachContext>
      {/* A press must not take the focus from a field that is being typed into: leaving it would save. */}
      <div className="where" onPointerDown={(event) => event.preventDefault()}>
        <MapPin size={13} aria-hidden />
        <div>
          <span id={WHERE}>{told?.where ?? messages.whereIdle}</span>
          {shared > 1 && (
            <Segments
              label={messages.reach}
              value={reach ?? ''}
              options={[
                { value: 'all', label: messages.reachAll(shared) },
                { value: 'item', label: messages.reachHere },
              ]}
              onChange={(value) => setReach(value as Reach)}
            />
          )}
        </div>
      </div>
    </WhereContext>
  );
}
