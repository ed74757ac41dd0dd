import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { slotState, uiQuery } from '../api/ui.ts';
import { shellWords } from '../words.ts';
import { Awaited, Gone } from './states.tsx';

/** A view that a slot's plugin serves. Without the plugin it says so; with a plugin that fails one line names the slot. */
export function Slot({ slot, name, children }: { slot: string; name: string; children: ReactNode }) {
  const ui = useQuery(uiQuery);
  return (
    <Awaited of={ui}>
      {(known) => {
        const state = slotState(known, slot);
        if (state === 'absent') return <Gone title={shellWords.slotAbsent(name)}>{shellWords.slotAbsentWhy}</Gone>;
        return (
          <>
            {state === 'failed' && <SlotFailed slot={slot} />}
            {children}
          </>
        );
      }}
    </Awaited>
  );
}

export function SlotFailed({ slot }: { slot: string }) {
  return (
    <p className="notice bad" role="status">
      <CircleAlert size={14} aria-hidden />
      {shellWords.slotFailed(slot)}
    </p>
  );
}
