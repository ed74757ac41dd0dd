import { useQuery } from '@tanstack/react-query';
import { MoreHorizontal } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { changeRole, listAccounts, makeSignInLink, removeAccount, restoreAccount, revokeTokensOf, type Account, type Role } from '../api/instance.ts';
import { meQuery } from '../api/ui.ts';
import { Part } from '../forms/Part.tsx';
import { Confirm } from '../forms/Confirm.tsx';
import { exact } from '../forms/dates.ts';
import { Once } from '../forms/Once.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { RoleSelect } from '../forms/RoleSelect.tsx';
import { Table } from '../forms/Table.tsx';
import { Time } from '../forms/Time.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { formWords } from '../words/forms.ts';
import { instanceWords } from '../words/instance.ts';

const words = instanceWords.members;
const KEYS = ['accounts', 'me', 'directory'];

export function Members() {
  const accounts = useQuery({ queryKey: ['accounts'], queryFn: ({ signal }) => listAccounts(signal) });
  const [wanted, setWanted] = useState('');
  const [asking, setAsking] = useState<{ what: 'remove' | 'revoke'; account: Account } | null>(null);
  const role = useChange(({ account, role }: { account: Account; role: Role }) => changeRole(account.userId, role), KEYS, ({ displayName, role }) => words.roleChanged(displayName, formWords.roles[role]));
  const link = useChange((account: Account) => makeSignInLink(account.userId), []);
  const restore = useChange((account: Account) => restoreAccount(account.userId), KEYS, ({ displayName }) => words.restored(displayName));
  return (
    <Part title={words.title} help={words.help} action={<input className="input find" type="search" placeholder={words.find} aria-label={words.find} value={wanted} onChange={(event) => setWanted(event.target.value)} />}>
      {link.data && link.variables && <Once label={words.linkTitle(link.variables.displayName)} text={link.data.url} help={words.linkHelp(exact(link.data.expiresAt))} onClose={link.reset} />}
      <Refusal of={role.error ?? link.error ?? restore.error} />
      <Awaited of={accounts}>
        {(list) => {
          const shown = list.filter(({ displayName, email }) => `${displayName} ${email}`.toLowerCase().includes(wanted.trim().toLowerCase()));
          if (shown.length === 0) return <p className="list-empty">{words.none}</p>;
          return (
            <Table columns={words.columns}>
              {shown.map((account) => (
                <Member key={account.userId} account={account} isBusy={role.isPending} onRole={(next) => role.mutate({ account, role: next })} onLink={() => link.mutate(account)} onRestore={() => restore.mutate(account)} onAsk={(what) => setAsking({ what, account })} />
              ))}
            </Table>
          );
        }}
      </Awaited>
      {asking && <Ask asking={asking} onClose={() => setAsking(null)} />}
    </Part>
  );
}

function Member({ account, isBusy, onRole, onLink, onRestore, onAsk }: { account: Account; isBusy: boolean; onRole: (role: Role) => void; onLink: () => void; onRestore: () => void; onAsk: (what: 'remove' | 'revoke') => void }) {
  const { displayName, email, removed } = account;
  const { data: me } = useQuery(meQuery);
  return (
    <tr className={removed ? 'off' : ''}>
      <td>
        <span className="name">{displayName}</span>
        {me?.user?.id === account.userId && <span className="soft"> ({formWords.you})</span>} {removed && <span className="badge">{words.removed}</span>}
        <br />
        <span className="soft">{email}</span>
      </td>
      <td>{removed ? formWords.roles[account.role] : <RoleSelect label={words.roleOf(displayName)} value={account.role} disabled={isBusy} onChange={onRole} />}</td>
      <td>
        <Time at={account.createdAt} />
      </td>
      <td className="end">
        {removed ? (
          <button type="button" className="button" onClick={onRestore}>
            {words.restore}
          </button>
        ) : (
          <DropdownMenu.Root>
            <DropdownMenu.Trigger className="icon-button" aria-label={words.actions(displayName)}>
              <MoreHorizontal size={16} aria-hidden />
            </DropdownMenu.Trigger>
            <DropdownMenu.Portal>
              <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
                <DropdownMenu.Item className="menu-item" onSelect={onLink}>
                  {words.signInLink}
                </DropdownMenu.Item>
                <DropdownMenu.Item className="menu-item" onSelect={() => onAsk('revoke')}>
                  {words.revokeTokens}
                </DropdownMenu.Item>
                <DropdownMenu.Separator className="menu-line" />
                <DropdownMenu.Item className="menu-item" onSelect={() => onAsk('remove')}>
                  {words.remove}
                </DropdownMenu.Item>
              </DropdownMenu.Content>
            </DropdownMenu.Portal>
          </DropdownMenu.Root>
        )}
      </td>
    </tr>
  );
}

function Ask({ asking: { what, account }, onClose }: { asking: { what: 'remove' | 'revoke'; account: Account }; onClose: () => void }) {
  const { displayName, userId } = account;
  const isRemoving = what === 'remove';
  const act = useChange(
    () => (isRemoving ? removeAccount(userId) : revokeTokensOf(userId)),
    KEYS,
    () => {
      onClose();
      return isRemoving ? words.removedNow(displayName) : words.revoked(displayName);
    },
  );
  return (
    <Confirm title={isRemoving ? words.removeTitle(displayName) : words.revokeTitle(displayName)} action={isRemoving ? words.removeNow : words.revokeNow} isBusy={act.isPending} error={act.error} onConfirm={() => act.mutate(undefined)} onClose={onClose}>
      {isRemoving ? words.removeHelp : words.revokeHelp}
    </Confirm>
  );
}
