import { Switch } from 'radix-ui';
import { useId } from 'react';

/** A switch with its name and what it does. */
export function Toggle({ label, help, isOn, onChange, disabled = false }: { label: string; help?: string; isOn: boolean; onChange: (isOn: boolean) => void; disabled?: boolean }) {
  const id = useId();
  return (
    <div className="toggle">
      <Switch.Root className="switch" checked={isOn} disabled={disabled} onCheckedChange={onChange} aria-labelledby={`${id}-label`} {...(help === undefined ? {} : { 'aria-describedby': `${id}-help` })}>
        <Switch.Thumb />
      </Switch.Root>
      <div>
        <div id={`${id}-label`}>{label}</div>
        {help !== undefined && (
          <p id={`${id}-help`} className="help">
            {help}
          </p>
        )}
      </div>
    </div>
  );
}
