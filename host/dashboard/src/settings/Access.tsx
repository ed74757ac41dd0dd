import { useQuery } from '@tanstack/react-query';
import { Radios } from '@kit/Radios.tsx';
import { Globe, Info } from 'lucide-react';
import { changeProject, getReaders, type Access as AccessName, type ProjectSettings } from '../api/settings.ts';
import { meQuery, uiQuery } from '../api/ui.ts';
import { Part } from '../forms/Part.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { PROJECT_KEYS, useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { formWords } from '../words/forms.ts';
import { settingsWords } from '../words/settings.ts';

const words = settingsWords.access;
const NAMES: readonly AccessName[] = ['all-members', 'invited', 'public-link'];

/** Who may read: the rule, and by name whom it lets in now. */
export function Access({ project }: { project: ProjectSettings }) {
  const { data: ui } = useQuery(uiQuery);
  const change = useChange((access: AccessName) => changeProject(project.id, { access }), PROJECT_KEYS, () => words.saved);
  const shown = change.isPending ? (change.variables ?? project.access) : project.access;
  const linksAllowed = ui?.settings.allowPublicLinks ?? true;
  return (
    <>
      <Part title={words.title}>
        <Radios label={words.title} value={shown} options={NAMES.map((name) => ({ value: name, ...words.options[name] }))} onChange={(value) => change.mutate(NAMES.find((name) => name === value) ?? project.access)} />
        {!linksAllowed && (
          <p className="notice">
            <Info size={14} aria-hidden />
            {words.linksOff}
          </p>
        )}
        <Refusal of={change.error} />
      </Part>
      <Readers project={project} />
    </>
  );
}

function Readers({ project }: { project: ProjectSettings }) {
  const { data: me } = useQuery(meQuery);
  const readers = useQuery({ queryKey: ['readers', project.id], queryFn: ({ signal }) => getReaders(project.id, signal) });
  return (
    <Part title={words.now} {...(readers.data ? { help: words.people(readers.data.people.length) } : {})}>
      <Awaited of={readers}>
        {({ everybody, people }) => (
          <>
            {everybody && (
              <p className="notice warn">
                <Globe size={14} aria-hidden />
                {words.everybody}
              </p>
            )}
            <ul className="people">
              {people.map(({ userId, displayName, email, role, by }) => (
                <li key={userId}>
                  <span className="name">
                    {displayName}
                    {userId === me?.user?.id && <span className="soft"> ({formWords.you})</span>}
                  </span>
                  <span className="soft">{email ?? ''}</span>
                  <span className="badge" title={formWords.roleHelp[role]}>
                    {words.by[by]}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Awaited>
    </Part>
  );
}
