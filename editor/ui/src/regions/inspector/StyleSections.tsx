import { AlignCenter, AlignJustify, AlignLeft, AlignRight } from 'lucide-react';
import { useModel } from '../../react/use.ts';
import { Section } from '../../components/Section.tsx';
import type { Inspection } from '../../api/inspection.ts';
import { messages } from '../../messages.ts';
import { ColourField } from './ColourField.tsx';
import { KeywordField, SignField, ValueField } from './StyleFields.tsx';

type Given = { facts: Inspection };

const DISPLAY = ['block', 'inline', 'inline-block', 'flex', 'inline-flex', 'grid', 'inline-grid', 'contents', 'none'];
const ALIGN = ['normal', 'stretch', 'flex-start', 'center', 'flex-end', 'baseline', 'start', 'end'];
const JUSTIFY = ['normal', 'flex-start', 'center', 'flex-end', 'space-between', 'space-around', 'space-evenly', 'start', 'end'];

/** Why no style can be set, once and not at every field. */
function Refusal({ facts }: Given) {
  return facts.can.style === true ? null : <p className="notice">{facts.can.style}</p>;
}

export function LayoutSection({ facts }: Given) {
  const display = useModel((model) => model.selection?.target?.styles['display'] ?? '');
  const flex = display.endsWith('flex');
  const grid = display.endsWith('grid');
  return (
    <Section title={messages.layout}>
      <Refusal facts={facts} />
      <KeywordField facts={facts} property="display" label="Display" options={DISPLAY} />
      {flex && <KeywordField facts={facts} property="flex-direction" label="Direction" options={['row', 'row-reverse', 'column', 'column-reverse']} />}
      {flex && <KeywordField facts={facts} property="flex-wrap" label="Wrap" options={['nowrap', 'wrap', 'wrap-reverse']} />}
      {grid && <ValueField facts={facts} property="grid-template-columns" label="Columns" unit="" />}
      {(flex || grid) && (
        <>
          <KeywordField facts={facts} property="justify-content" label="Justify" options={JUSTIFY} />
          <KeywordField facts={facts} property="align-items" label="Align" options={ALIGN} />
          <div className="pair">
            <ValueField facts={facts} property="row-gap" label="Row gap" prefix="↕" />
            <ValueField facts={facts} property="column-gap" label="Column gap" prefix="↔" />
          </div>
        </>
      )}
      <KeywordField facts={facts} property="position" label="Position" options={['static', 'relative', 'absolute', 'fixed', 'sticky']} />
    </Section>
  );
}

export function SizeSection({ facts }: Given) {
  return (
    <Section title={messages.size} open={false}>
      <div className="pair">
        <ValueField facts={facts} property="width" label="Width" prefix="W" />
        <ValueField facts={facts} property="height" label="Height" prefix="H" />
        <ValueField facts={facts} property="min-width" label="Least width" prefix="≥" />
        <ValueField facts={facts} property="min-height" label="Least height" prefix="≥" />
        <ValueField facts={facts} property="max-width" label="Greatest width" prefix="≤" />
        <ValueField facts={facts} property="max-height" label="Greatest height" prefix="≤" />
      </div>
      <KeywordField facts={facts} property="overflow" label="Overflow" options={['visible', 'hidden', 'clip', 'auto', 'scroll']} />
    </Section>
  );
}

export function TypographySection({ facts }: Given) {
  return (
    <Section title={messages.typography}>
      <ValueField facts={facts} property="font-family" label="Font" unit="" />
      <ValueField facts={facts} property="font-size" label="Size" />
      <KeywordField facts={facts} property="font-weight" label="Weight" options={['100', '200', '300', '400', '500', '600', '700', '800', '900']} />
      <ValueField facts={facts} property="line-height" label="Line" unit="" />
      <ValueField facts={facts} property="letter-spacing" label="Spacing" />
      <SignField
        facts={facts}
        property="text-align"
        label="Align"
        options={[
          { value: 'left', label: 'Left', like: ['start', '-webkit-left'], show: <AlignLeft size={14} aria-hidden /> },
          { value: 'center', label: 'Centre', like: ['-webkit-center'], show: <AlignCenter size={14} aria-hidden /> },
          { value: 'right', label: 'Right', like: ['end', '-webkit-right'], show: <AlignRight size={14} aria-hidden /> },
          { value: 'justify', label: 'Justified', show: <AlignJustify size={14} aria-hidden /> },
        ]}
      />
      <KeywordField facts={facts} property="text-transform" label="Case" options={['none', 'uppercase', 'lowercase', 'capitalize']} />
    </Section>
  );
}

export function ColourSection({ facts }: Given) {
  return (
    <Section title={messages.colours}>
      <ColourField facts={facts} property="color" label="Text" />
      <ColourField facts={facts} property="background-color" label="Background" />
      <ValueField facts={facts} property="opacity" label="Opacity" unit="" />
    </Section>
  );
}

export function BorderSection({ facts }: Given) {
  return (
    <Section title={messages.border} open={false}>
      <ValueField facts={facts} property="border-width" label="Width" />
      <KeywordField facts={facts} property="border-style" label="Style" options={['none', 'solid', 'dashed', 'dotted', 'double']} />
      <ColourField facts={facts} property="border-color" label="Colour" />
      <ValueField facts={facts} property="border-radius" label="Radius" />
      <ValueField facts={facts} property="box-shadow" label="Shadow" unit="" />
    </Section>
  );
}
