import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { loadClasses } from '../../model/loading.ts';
import { inspect, selectSource } from '../../model/selecting.ts';
import { Loading, State } from '@kit/State.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';
import { Attributes } from './Attributes.tsx';
import { BorderSection, ColourSection, LayoutSection, SizeSection, TypographySection } from './StyleSections.tsx';
import { Classes } from './Classes.tsx';
import { Content } from './Content.tsx';
import { Declarations } from './Declarations.tsx';
import { Spacing } from './Spacing.tsx';
import { Subject } from './Subject.tsx';
import { WithWhere } from './where.tsx';
import { Widths } from './Widths.tsx';

/** Everything about the selected element, and where in the source each of it stands. */
export function Inspector() {
  const editor = useEditor();
  const selected = useModel((model) => model.selection !== null);
  const number = useModel((model) => model.selection?.number ?? 0);
  const target = useModel((model) => model.selection?.target ?? null);
  const inspection = useModel((model) => model.inspection);
  const use = useModel((model) => model.selection?.use ?? null);
  const classes = useModel((model) => model.classes.is);
  const scrolled = useRef(0);
  // The theme's scales and breakpoints are part of the controls.
  useEffect(() => {
    if (selected && classes === 'idle') void loadClasses(editor);
  }, [editor, selected, classes]);
  if (!selected) return <State title={messages.nothingSelected}>{messages.nothingSelectedHelp}</State>;
  const facts = known(inspection);
  if (inspection.is === 'refused') {
    const nearest = target?.ancestors[0];
    const actions = (
      <>
        {inspection.refusal.code === 'no-source' && nearest && (
          <button type="button" className="button" onClick={() => selectSource(editor, nearest.src, { id: nearest.id })}>
            {messages.nearest(nearest.tag)}
          </button>
        )}
        {inspection.refusal.code !== 'no-source' && (
          <button type="button" className="button" onClick={() => void inspect(editor)}>
            {messages.again}
          </button>
        )}
      </>
    );
    return (
      <State title={messages.cannotInspect} tone="bad" actions={actions}>
        {inspection.refusal.reason}
      </State>
    );
  }
  if (!facts) return <Loading what={messages.inspecting} />;
  return (
    // What was said, and what was chosen, belongs to the controls of one element.
    <WithWhere key={number}>
      <Subject facts={facts} />
      {facts.readOnly !== null && <p className="help" role="note">{messages.readOnly(facts.readOnly)}</p>}
      {use === null && facts.utilities !== null && <Widths />}
      <Kept at={scrolled}>
        <Content facts={facts} />
        <Attributes facts={facts} />
        <Classes facts={facts} />
        {use === null && (
          <>
            <LayoutSection facts={facts} />
            <Spacing facts={facts} />
            <SizeSection facts={facts} />
            <TypographySection facts={facts} />
            <ColourSection facts={facts} />
            <BorderSection facts={facts} />
            <Declarations facts={facts} />
          </>
        )}
      </Kept>
    </WithWhere>
  );
}

/** Scrolls, and begins where the element before was scrolled to: people compare. */
function Kept({ at, children }: { at: RefObject<number>; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current) element.current.scrollTop = at.current;
  }, [at]);
  return (
    <div ref={element} className="scroll" onScroll={(event) => (at.current = event.currentTarget.scrollTop)}>
      {children}
    </div>
  );
}
