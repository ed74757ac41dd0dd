import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { ReactNode } from 'react';

/** A part of the inspector that can be folded. */
export function Section({ title, extra, children, open = true }: { title: string; extra?: ReactNode; children: ReactNode; open?: boolean }) {
  return (
    <Collapsible.Root className="section" defaultOpen={open}>
      <h3>
        <Collapsible.Trigger className="section-head">
          {title}
          {extra}
          <ChevronRight className="turn" size={14} aria-hidden />
        </Collapsible.Trigger>
      </h3>
      <Collapsible.Content>
        <div className="section-body">{children}</div>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
