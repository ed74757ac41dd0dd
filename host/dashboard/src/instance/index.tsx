/** `/instance/…`: for admins. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ComponentType } from 'react';
import { Loading } from '@kit/State.tsx';
import { useLocation } from 'wouter';
import { meQuery, uiQuery } from '../api/ui.ts';
import '../forms/forms.css';
import { Sections } from '../forms/Sections.tsx';
import { Slot } from '../shell/Slot.tsx';
import { Awaited, Gone } from '../shell/states.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { shellWords } from '../words/shell.ts';
import { instanceWords as words } from '../words/instance.ts';
import { Domains } from './Domains.tsx';
import './instance.css';
import { Invites } from './Invites.tsx';
import { Mail } from './Mail.tsx';
import { Members } from './Members.tsx';
import { Settings } from './Settings.tsx';
import { partAddress, partsAt } from '../plugins/parts.ts';

const Plugins = lazy(() => import('./plugins/index.tsx'));
const PartPage = lazy(() => import('../plugins/PartPage.tsx'));
const Audit = lazy(() => import('./audit/index.tsx'));

/** The parts, and whether the admin slot serves them: plugins are the host's own. */
const PARTS: Record<keyof typeof words.sections, { view: ComponentType; isOfSlot: boolean }> = {
  members: { view: Members, isOfSlot: true },
  invites: { view: Invites, isOfSlot: true },
  domains: { view: Domains, isOfSlot: true },
  settings: { view: Settings, isOfSlot: true },
  mail: { view: Mail, isOfSlot: true },
  plugins: { view: Plugins, isOfSlot: false },
  audit: { view: Audit, isOfSlot: true },
};
const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

export default function Instance() {
  const [path] = useLocation();
  const me = useQuery(meQuery);
  const { data: ui } = useQuery(uiQuery);
  const wanted = path.split('/')[2] ?? '';
  const name = wanted === '' ? 'members' : NAMES.find((each) => each === wanted);
  useTitle(name && words.sections[name], words.title);
  return (
    <Awaited of={me}>
      {({ user }) =>
        user?.role !== 'admin' ? (
          <Gone title={words.mayNot}>{words.mayNotWhy}</Gone>
        ) : (
          <>
            <div className="page-head">
              <h1 className="page-title">{words.title}</h1>
            </div>
            <Sections label={words.parts} current={wanted === 'x' ? path : `/instance/${name ?? ''}`} links={[...NAMES.map((each) => ({ href: `/instance/${each}`, label: words.sections[each] })), ...partsAt(ui, 'instance', { user }).map((part) => ({ href: `/instance/x/${partAddress(part)}`, label: part.title }))]}>
              <Suspense fallback={<Loading what={shellWords.loading} />}>
                {wanted === 'x' ? <PartPage at="instance" rest={path.slice('/instance/x/'.length)} /> : name === undefined ? <Gone /> : <Part key={name} name={name} />}
              </Suspense>
            </Sections>
          </>
        )
      }
    </Awaited>
  );
}

function Part({ name }: { name: keyof typeof PARTS }) {
  const { view: View, isOfSlot } = PARTS[name];
  if (!isOfSlot) return <View />;
  return (
    <Slot slot="admin" name={words.part}>
      <View />
    </Slot>
  );
}
