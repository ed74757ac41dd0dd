import { useQuery } from '@tanstack/react-query';
import { changeInstanceSettings, getInstanceSettings } from '../api/instance.ts';
import { Part } from '../forms/Part.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { Toggle } from '../forms/Toggle.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { instanceWords } from '../words/instance.ts';

const words = instanceWords.settings;

export const settingsQuery = { queryKey: ['instance-settings'], queryFn: ({ signal }: { signal: AbortSignal }) => getInstanceSettings(signal) };

export function Settings() {
  const settings = useQuery(settingsQuery);
  const change = useChange(changeInstanceSettings, ['instance-settings', 'ui'], () => words.saved);
  return (
    <Part title={words.title}>
      <Awaited of={settings}>
        {(now) => {
          const shown = { ...now, ...(change.isPending ? change.variables : {}) };
          return (
            <>
              <Toggle label={words.links} help={words.linksHelp} isOn={shown.allowPublicLinks} disabled={change.isPending} onChange={(allowPublicLinks) => change.mutate({ allowPublicLinks })} />
              <Toggle label={words.anonymous} help={words.anonymousHelp} isOn={shown.allowAnonymousComments} disabled={change.isPending} onChange={(allowAnonymousComments) => change.mutate({ allowAnonymousComments })} />
            </>
          );
        }}
      </Awaited>
      <Refusal of={change.error} />
    </Part>
  );
}
