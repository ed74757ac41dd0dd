import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { canSignIn, meQuery, uiQuery } from '../api/ui.ts';
import { shellWords } from '../words.ts';
import { Initials } from './Initials.tsx';

const load = () => import('./AccountMenuOpen.tsx');
const Open = lazy(load);

/** Who is signed in; pressed, the menu with the account, the theme and the way out. Guests get the way in. */
export function AccountMenu() {
  const { data } = useQuery(meQuery);
  const { data: ui } = useQuery({ ...uiQuery, enabled: data?.user === null });
  const [asked, setAsked] = useState(false);
  if (!data) return <span className="account-space" />;
  const { user } = data;
  if (!user) {
    return canSignIn(data, ui) ? (
      <a className="button" href={`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}>
        {shellWords.signIn}
      </a>
    ) : null;
  }
  const closed = (
    <button type="button" className="account" title={user.displayName} aria-haspopup="menu" aria-expanded={false} onPointerEnter={() => void load()} onFocus={() => void load()} onClick={() => setAsked(true)}>
      <Initials name={user.displayName} />
      <span className="hidden">{shellWords.account(user.displayName)}</span>
      <ChevronDown size={14} aria-hidden />
    </button>
  );
  return asked ? (
    <Suspense fallback={closed}>
      <Open user={user} />
    </Suspense>
  ) : (
    closed
  );
}
