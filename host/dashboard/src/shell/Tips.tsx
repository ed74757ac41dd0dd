import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** Around parts with tooltips. The review loads them after the prototype. */
export function Tips({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={350} skipDelayDuration={200}>
      {children}
    </Tooltip.Provider>
  );
}
