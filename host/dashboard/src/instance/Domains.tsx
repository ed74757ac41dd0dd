import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { FormEvent } from 'react';
import { deleteDomainRule, listDomainRules, setDomainRule, type DomainRule, type Role } from '../api/instance.ts';
import { Part } from '../forms/Part.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { RoleSelect } from '../forms/RoleSelect.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { useKept } from '../shell/useKept.ts';
import { formWords } from '../words/forms.ts';
import { instanceWords } from '../words/instance.ts';

const words = instanceWords.domains;
const KEYS = ['domain-rules'];

export function Domains() {
  const rules = useQuery({ queryKey: ['domain-rules'], queryFn: ({ signal }) => listDomainRules(signal) });
  const [typed, setTyped, forget] = useKept<DomainRule>('instance:domain', { domain: '', role: 'viewer' });
  const add = useChange((rule: DomainRule) => setDomainRule(rule.domain.trim().toLowerCase(), rule.role), KEYS, ({ domain }) => (forget(), words.set(domain)));
  const change = useChange(({ domain, role }: { domain: string; role: Role }) => setDomainRule(domain, role), KEYS, ({ domain }) => words.set(domain));
  const remove = useChange((domain: string) => deleteDomainRule(domain), KEYS, (_, domain) => words.removed(domain));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(typed);
  };
  return (
    <Part title={words.title} help={words.help}>
      <form className="form wide" onSubmit={submit}>
        <div className="inline-form">
          <label className="grow">
            {words.domain}
            <input className="input" required autoComplete="off" spellCheck={false} autoCapitalize="none" placeholder={words.example} value={typed.domain} onChange={(event) => setTyped({ ...typed, domain: event.target.value })} />
          </label>
          <label>
            {formWords.role}
            <RoleSelect label={formWords.role} isNamed value={typed.role} onChange={(role) => setTyped({ ...typed, role })} />
          </label>
          <button type="submit" className="button primary" disabled={add.isPending || typed.domain.trim() === ''}>
            {words.add}
          </button>
        </div>
        <Refusal of={add.error} />
      </form>
      <Refusal of={change.error ?? remove.error} />
      <Awaited of={rules}>
        {(list) =>
          list.length === 0 ? (
            <p className="list-empty">{words.none}</p>
          ) : (
            <ul className="people">
              {list.map(({ domain, role }) => (
                <li key={domain}>
                  <span className="name grow">{domain}</span>
                  <RoleSelect label={words.roleOf(domain)} value={role} disabled={change.isPending} onChange={(next) => change.mutate({ domain, role: next })} />
                  <button type="button" className="icon-button" aria-label={words.remove(domain)} title={words.remove(domain)} disabled={remove.isPending} onClick={() => remove.mutate(domain)}>
                    <X size={15} aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Awaited>
    </Part>
  );
}
