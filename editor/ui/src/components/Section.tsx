import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { ReactNode } from 'react';
import { useEditor, useModel } from '../react/use.ts';

/** A part of the inspector that can be folded, and stays so for the next element. */
export function Section({ title, extra, children, open = true }: { title: string; extra?: ReactNode; children: ReactNode; open?: boolean }) {
  const { store } = useEditor();
  const shown = useModel((model) => model.sections[title] ?? open);
  const fold = (now: boolean): void => store.setState(({ sections }) => ({ sections: { ...sections, [title]: now } }));
  return (
    <Collapsible.Root className="section" open={shown} onOpenChange={fold}>
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
