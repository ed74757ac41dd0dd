import type { FormEvent } from 'react';
import type { User } from '../api/ui.ts';
import { rename } from '../api/you.ts';
import { Part } from '../forms/Part.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { useChange } from '../forms/useChange.ts';
import { useKept } from '../shell/useKept.ts';
import { formWords } from '../words/forms.ts';
import { youWords } from '../words/you.ts';

const words = youWords.profile;

export function Profile({ user }: { user: User }) {
  const [kept, setKept, forget] = useKept<string | null>(`you:${user.id}:name`, null);
  const name = kept ?? user.displayName;
  const save = useChange(rename, ['me'], () => (forget(), words.saved));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(name.trim());
  };
  return (
    <Part title={words.title}>
      <form className="form" onSubmit={submit}>
        <label>
          {words.name}
          <input className="input" required maxLength={100} autoComplete="name" value={name} onChange={(event) => setKept(event.target.value)} />
          <span className="help">{words.nameHelp}</span>
        </label>
        <dl className="definition">
          <dt>{words.email}</dt>
          <dd>{user.email}</dd>
          <dt>{words.role}</dt>
          <dd>
            {formWords.roles[user.role]}: <span className="soft">{formWords.roleHelp[user.role]}</span>
          </dd>
        </dl>
        <Refusal of={save.error} />
        <div className="button-row">
          <button type="submit" className="button primary" disabled={name.trim() === '' || name.trim() === user.displayName || save.isPending}>
            {save.isPending ? formWords.saving : formWords.save}
          </button>
        </div>
      </form>
    </Part>
  );
}
