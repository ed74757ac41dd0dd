import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { getMailChoice, setMailChoice } from '../api/you.ts';
import { Part } from '../forms/Part.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { Toggle } from '../forms/Toggle.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { youWords } from '../words/you.ts';

const words = youWords.mail;

export function Mail() {
  const choice = useQuery({ queryKey: ['my-mail'], queryFn: ({ signal }) => getMailChoice(signal) });
  const change = useChange(setMailChoice, ['my-mail'], () => words.saved);
  return (
    <Part title={words.title}>
      <Awaited of={choice}>
        {({ mentions, configured }) => (
          <>
            <Toggle label={words.mentions} help={words.mentionsHelp} isOn={change.isPending ? (change.variables ?? mentions) : mentions} disabled={change.isPending} onChange={(isOn) => change.mutate(isOn)} />
            {configured === false && (
              <p className="notice">
                <Info size={14} aria-hidden />
                {words.notConfigured}
              </p>
            )}
          </>
        )}
      </Awaited>
      <Refusal of={change.error} />
    </Part>
  );
}
