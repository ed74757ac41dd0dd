import type { Role } from '../api/instance.ts';
import { formWords } from '../words/forms.ts';

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

/** One of the three roles. */
export function RoleSelect({ label, value, onChange, disabled = false, isNamed = false }: { label: string; value: Role; onChange: (role: Role) => void; disabled?: boolean; isNamed?: boolean }) {
  return (
    <select className="select fit" {...(isNamed ? {} : { 'aria-label': label })} value={value} disabled={disabled} title={formWords.roleHelp[value]} onChange={(event) => onChange(ROLES.find((role) => role === event.target.value) ?? value)}>
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {formWords.roles[role]}
        </option>
      ))}
    </select>
  );
}
