import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { User } from '../api/ui.ts';
import { shellWords } from '../words.ts';
import { Initials } from './Initials.tsx';
import { chooseTheme, useTheme, type Theme } from './theme.ts';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The menu of the account, open from the start: it is loaded when somebody asks for it. */
export default function AccountMenuOpen({ user }: { user: User }) {
  const theme = useTheme();
  return (
    <DropdownMenu.Root defaultOpen>
      <DropdownMenu.Trigger className="account" title={user.displayName}>
        <Initials name={user.displayName} />
        <span className="hidden">{shellWords.account(user.displayName)}</span>
        <ChevronDown size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
          <div className="menu-who">
            <b>{user.displayName}</b>
            <span>{user.email}</span>
          </div>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" asChild>
            <a href="/you/profile">{shellWords.you}</a>
          </DropdownMenu.Item>
          {user.role === 'admin' && (
            <DropdownMenu.Item className="menu-item" asChild>
              <a href="/instance/members">{shellWords.instance}</a>
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Label className="menu-label">{shellWords.theme}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={theme} onValueChange={(value) => chooseTheme(THEMES.find((each) => each === value) ?? 'system')}>
            {THEMES.map((each) => (
              <DropdownMenu.RadioItem key={each} className="menu-item" value={each}>
                <span className="menu-check">
                  <DropdownMenu.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </DropdownMenu.ItemIndicator>
                </span>
                {shellWords.themes[each]}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" onSelect={signOut}>
            {shellWords.signOut}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A form, as on the server's own pages: the answer leads to where signed-out people begin. */
function signOut(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/api/v1/auth/logout';
  document.body.append(form);
  form.submit();
}
