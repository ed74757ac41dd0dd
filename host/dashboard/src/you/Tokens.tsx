import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { listTokens, makeToken, revokeToken, type NewToken, type Token } from '../api/you.ts';
import { Confirm } from '../forms/Confirm.tsx';
import { Once } from '../forms/Once.tsx';
import { Part } from '../forms/Part.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { Table } from '../forms/Table.tsx';
import { Time } from '../forms/Time.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { useKept } from '../shell/useKept.ts';
import { youWords } from '../words/you.ts';

const words = youWords.tokens;
const DAYS = [30, 90, 365] as const;

/** What a form for a token begins with: reading alone, for a while. */
const BEGIN = { name: '', read: true, write: false, days: '90' };

export function Tokens() {
  const tokens = useQuery({ queryKey: ['tokens'], queryFn: ({ signal }) => listTokens(signal) });
  const [typed, setTyped, forget] = useKept('you:token', BEGIN);
  const [told, setTold] = useState<NewToken | null>(null);
  const [doomed, setDoomed] = useState<Token | null>(null);
  const make = useChange(
    () => makeToken({ name: typed.name.trim(), scopes: [...(typed.read ? ['read'] : []), ...(typed.write ? ['write'] : [])], ...(typed.days === '' ? {} : { expiresInDays: Number(typed.days) }) }),
    ['tokens'],
    (token) => (forget(), setTold(token)),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate(undefined);
  };
  const set = (change: Partial<typeof typed>): void => setTyped({ ...typed, ...change });
  return (
    <>
      <Part title={words.title} help={words.help}>
        <form className="form" onSubmit={submit}>
          <label>
            {words.name}
            <input className="input" required maxLength={100} placeholder={words.example} value={typed.name} onChange={(event) => set({ name: event.target.value })} />
          </label>
          <fieldset>
            <legend>{words.scopes}</legend>
            {(['read', 'write'] as const).map((scope) => (
              <label key={scope} className="check">
                <input type="checkbox" checked={typed[scope]} onChange={(event) => set({ [scope]: event.target.checked })} />
                <span>
                  {words[scope]} <span className="help">{words[`${scope}Help`]}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <label>
            {words.expires}
            <select className="select fit" value={typed.days} onChange={(event) => set({ days: event.target.value })}>
              {DAYS.map((days) => (
                <option key={days} value={days}>
                  {words.days(days)}
                </option>
              ))}
              <option value="">{words.forever}</option>
            </select>
          </label>
          <Refusal of={make.error} />
          <div className="button-row">
            <button type="submit" className="button primary" disabled={typed.name.trim() === '' || (!typed.read && !typed.write) || make.isPending}>
              {words.make}
            </button>
          </div>
        </form>
        {told && <Once label={words.onceTitle(told.name)} text={told.token} help={words.onceHelp} onClose={() => setTold(null)} />}
      </Part>
      <Part title={words.list}>
        <Awaited of={tokens}>{(list) => (list.length === 0 ? <p className="list-empty">{words.none}</p> : <List tokens={list} onRevoke={setDoomed} />)}</Awaited>
      </Part>
      {doomed && <AskRevoke token={doomed} onClose={() => setDoomed(null)} />}
    </>
  );
}

function List({ tokens, onRevoke }: { tokens: readonly Token[]; onRevoke: (token: Token) => void }) {
  return (
    <Table columns={words.columns}>
      {tokens.map((token) => (
        <tr key={token.id}>
          <td className="name">{token.name}</td>
          <td>
            <span className="button-row">
              {token.scopes.map((scope) => (
                <span key={scope} className={`badge${scope === 'write' ? ' warn' : ''}`}>
                  {words[scope]}
                </span>
              ))}
            </span>
          </td>
          <td>{token.lastUsedAt ? <Time at={token.lastUsedAt} /> : <span className="soft">{words.neverUsed}</span>}</td>
          <td>{token.expiresAt ? <Time at={token.expiresAt} /> : <span className="soft">{words.noEnd}</span>}</td>
          <td className="end">
            <button type="button" className="button" aria-label={`${words.revoke} ${token.name}`} onClick={() => onRevoke(token)}>
              {words.revoke}
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function AskRevoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const revoke = useChange(
    () => revokeToken(token.id),
    ['tokens'],
    () => (onClose(), words.revoked(token.name)),
  );
  return (
    <Confirm title={words.revokeTitle(token.name)} action={words.revoke} isBusy={revoke.isPending} error={revoke.error} onConfirm={() => revoke.mutate(undefined)} onClose={onClose}>
      {words.revokeHelp}
    </Confirm>
  );
}
