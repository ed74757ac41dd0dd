import { useQuery } from '@tanstack/react-query';
import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { meQuery } from '../api/ui.ts';
import { shellWords } from '../words.ts';
import { chooseTheme, useTheme, type Theme } from './theme.ts';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** Who is signed in, the theme, and the way out. Guests get the way in. */
export function AccountMenu() {
  const { data } = useQuery(meQuery);
  const theme = useTheme();
  if (!data) return null;
  const { user } = data;
  if (!user) {
    return data.authEnabled ? (
      <a className="button" href={`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}>
        {shellWords.signIn}
      </a>
    ) : null;
  }
  return (
    <DropdownMenu.Root>
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

/** One or two letters for somebody. */
export function Initials({ name }: { name: string }) {
  const letters = name.split(/\s+/).filter((word) => word !== '').map((word) => [...word][0] ?? '');
  const shown = letters.length > 1 ? `${letters[0]}${letters[letters.length - 1]}` : (letters[0] ?? '?');
  return (
    <span className="initials" aria-hidden>
      {shown.toUpperCase()}
    </span>
  );
}
