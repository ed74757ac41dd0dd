import { RadioGroup } from 'radix-ui';

/** One of several, below each other. */
export function Radios({ label, value, options, onChange }: { label: string; value: string | null; options: readonly { value: string; label: string; help?: string }[]; onChange: (value: string) => void }) {
  return (
    <RadioGroup.Root className="radios" aria-label={label} value={value ?? ''} onValueChange={onChange}>
      {options.map((option) => (
        <RadioGroup.Item key={option.value} className="radio" value={option.value} aria-label={option.label}>
          <span className="ring" aria-hidden />
          <span>
            {option.label}
            {option.help !== undefined && option.help !== '' && <span className="help"> {option.help}</span>}
          </span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
