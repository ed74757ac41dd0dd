import { RadioGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { Tip } from './Tip.tsx';

export interface Segment {
  value: string;
  label: string;
  keys?: string;
  show?: ReactNode;
}

/** One of a few, side by side. */
export function Segments({ label, value, options, onChange, wide = false, disabled = false, className = '' }: { label: string; value: string; options: readonly Segment[]; onChange: (value: string) => void; wide?: boolean; disabled?: boolean; className?: string }) {
  return (
    <RadioGroup.Root className={`segments${wide ? ' wide' : ''} ${className}`} orientation="horizontal" aria-label={label} value={value} onValueChange={onChange} disabled={disabled}>
      {options.map((option) => (
        <Tip key={option.value} words={option.label} keys={option.keys}>
          <RadioGroup.Item className="segment" value={option.value} aria-label={option.label}>
            {option.show ?? <span>{option.label}</span>}
          </RadioGroup.Item>
        </Tip>
      ))}
    </RadioGroup.Root>
  );
}
