import { Tooltip } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

/** A tooltip. What it says must also be in the part's accessible name or description. */
export function Tip({ words, keys, children, side = 'bottom' }: { words: ReactNode; keys?: string | undefined; children: ReactElement; side?: 'top' | 'bottom' | 'left' | 'right' }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" side={side} sideOffset={5} collisionPadding={6}>
          {words}
          {keys !== undefined && <span className="keys">{keys}</span>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
