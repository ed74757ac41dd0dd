/** `/you/…`: one's own account. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { meQuery, type User } from '../api/ui.ts';
import '../forms/forms.css';
import { Sections } from '../forms/Sections.tsx';
import { Awaited, Gone } from '../shell/states.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { youWords as words } from '../words/you.ts';
import { Mail } from './Mail.tsx';
import { Profile } from './Profile.tsx';
import { Sessions } from './Sessions.tsx';
import { Tokens } from './Tokens.tsx';

const PARTS: Record<keyof typeof words.sections, (user: User) => ReactNode> = {
  profile: (user) => <Profile user={user} />,
  tokens: () => <Tokens />,
  sessions: () => <Sessions />,
  mail: () => <Mail />,
};
const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

export default function You() {
  const [path] = useLocation();
  const me = useQuery(meQuery);
  const wanted = path.split('/')[2] ?? '';
  const name = wanted === '' ? 'profile' : NAMES.find((each) => each === wanted);
  useTitle(name && words.sections[name], words.title);
  return (
    <>
      <div className="page-head">
        <h1 className="page-title">{words.title}</h1>
      </div>
      <Sections label={words.parts} current={`/you/${name ?? ''}`} links={NAMES.map((each) => ({ href: `/you/${each}`, label: words.sections[each] }))}>
        <Awaited of={me}>{({ user }) => (user === null ? <Gone title={words.signedOut}>{words.signedOutWhy}</Gone> : name === undefined ? <Gone /> : PARTS[name](user))}</Awaited>
      </Sections>
    </>
  );
}
