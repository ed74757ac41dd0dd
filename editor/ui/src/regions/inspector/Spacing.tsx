import { readableLength } from '../../model/lengths.ts';
import { Section } from '../../components/Section.tsx';
import { useModel } from '../../react/use.ts';
import type { Inspection } from '../../api/inspection.ts';
import { messages } from '../../messages.ts';
import { ValueField } from './StyleFields.tsx';
import { useStyle } from './useStyle.ts';
import { ValueInput } from './ValueInput.tsx';
import { useWhere } from './where.tsx';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
/** Rows and columns of the grid the box model is drawn in: margin outside, padding inside. */
const PLACES = {
  margin: { top: '1 / 1 / 2 / 6', right: '2 / 5 / 5 / 6', bottom: '5 / 1 / 6 / 6', left: '2 / 1 / 5 / 2' },
  padding: { top: '2 / 2 / 3 / 5', right: '3 / 4 / 4 / 5', bottom: '4 / 2 / 5 / 5', left: '3 / 2 / 4 / 3' },
} as const;

/** The box model, drawn and typed into. */
export function Spacing({ facts }: { facts: Inspection }) {
  const rect = useModel((model) => model.selection?.target?.rect);
  const size = rect ? `${Math.round(rect.width)} × ${Math.round(rect.height)}` : '';
  return (
    <Section title={messages.spacing}>
      <div className="box" role="group" aria-label={messages.spacing}>
        <span className="inner" aria-hidden />
        <span className="caption" style={{ left: 6, top: 5 }} aria-hidden>
          margin
        </span>
        <span className="caption" style={{ left: 50, top: 31 }} aria-hidden>
          padding
        </span>
        <span className="core">{size}</span>
        {(['margin', 'padding'] as const).flatMap((kind) =>
          SIDES.map((side) => <Side key={kind + side} facts={facts} property={`${kind}-${side}`} area={PLACES[kind][side]} />),
        )}
      </div>
      <ValueField facts={facts} property="margin" label="Margin" />
      <ValueField facts={facts} property="padding" label="Padding" />
    </Section>
  );
}

function Side({ facts, property, area }: { facts: Inspection; property: string; area: string }) {
  const style = useStyle(facts, property);
  const told = useWhere(style.where, style.shared);
  return (
    <span style={{ gridArea: area, display: 'grid', placeItems: 'center' }} {...told}>
      <span style={{ width: 44, height: 26 }}>
        <ValueInput style={style} unit="px" label={property.replace('-', ' ')} placeholder={readableLength(style.computed).replace(/px$/, '')} />
      </span>
    </span>
  );
}
