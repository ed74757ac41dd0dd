import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { listInvites, makeInvite, regenerateInvite, revokeInvite, type Invite, type NewInvite, type Role } from '../api/instance.ts';
import { Part } from '../forms/Part.tsx';
import { exact } from '../forms/dates.ts';
import { Once } from '../forms/Once.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { RoleSelect } from '../forms/RoleSelect.tsx';
import { Table } from '../forms/Table.tsx';
import { Time } from '../forms/Time.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { useKept } from '../shell/useKept.ts';
import { formWords } from '../words/forms.ts';
import { instanceWords } from '../words/instance.ts';

const words = instanceWords.invites;
const KEYS = ['invites'];

export function Invites() {
  const invites = useQuery({ queryKey: ['invites'], queryFn: ({ signal }) => listInvites(signal) });
  const [typed, setTyped, forget] = useKept<{ email: string; role: Role }>('instance:invite', { email: '', role: 'viewer' });
  /** The link of the last one, which the server tells once. */
  const [told, setTold] = useState<NewInvite | null>(null);
  const tell = (invite: NewInvite): void => setTold(invite);
  const make = useChange(
    () => makeInvite(typed.email.trim(), typed.role),
    KEYS,
    (invite) => (forget(), tell(invite)),
  );
  const regenerate = useChange((invite: Invite) => regenerateInvite(invite.id), KEYS, tell);
  const revoke = useChange((invite: Invite) => revokeInvite(invite.id), KEYS, (_, { email }) => words.revoked(email));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate(undefined);
  };
  return (
    <>
      <Part title={words.title} help={words.help}>
        <form className="form wide" onSubmit={submit}>
          <div className="inline-form">
            <label className="grow">
              {words.email}
              <input className="input" type="email" required autoComplete="off" value={typed.email} onChange={(event) => setTyped({ ...typed, email: event.target.value })} />
            </label>
            <label>
              {formWords.role}
              <RoleSelect label={formWords.role} isNamed value={typed.role} onChange={(role) => setTyped({ ...typed, role })} />
            </label>
            <button type="submit" className="button primary" disabled={make.isPending || typed.email.trim() === ''}>
              {words.make}
            </button>
          </div>
          <Refusal of={make.error} />
        </form>
        {told && <Once label={words.linkTitle(told.email)} text={told.url} help={(told.emailed ? words.linkMailed : words.linkNotMailed)(exact(told.expiresAt))} onClose={() => setTold(null)} />}
      </Part>
      <Part title={words.list}>
        <Refusal of={regenerate.error ?? revoke.error} />
        <Awaited of={invites}>
          {(list) =>
            list.length === 0 ? (
              <p className="list-empty">{words.none}</p>
            ) : (
              <Table columns={words.columns}>
                {list.map((invite) => (
                  <tr key={invite.id} className={invite.state === 'pending' ? '' : 'off'}>
                    <td className="name">{invite.email}</td>
                    <td>{formWords.roles[invite.role]}</td>
                    <td>
                      <span className={`badge${invite.state === 'pending' ? ' accent' : invite.state === 'used' ? ' good' : ''}`}>{words.states[invite.state]}</span>
                    </td>
                    <td>
                      <Time at={invite.expiresAt} />
                    </td>
                    <td className="end">
                      {(invite.state === 'pending' || invite.state === 'expired') && (
                        <div className="button-row">
                          <button type="button" className="button" disabled={regenerate.isPending} onClick={() => regenerate.mutate(invite)}>
                            {words.regenerate}
                          </button>
                          {invite.state === 'pending' && (
                            <button type="button" className="button" disabled={revoke.isPending} onClick={() => revoke.mutate(invite)}>
                              {words.revoke}
                            </button>
                          )}
                        </div>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Awaited>
      </Part>
    </>
  );
}
