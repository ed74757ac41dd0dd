import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { deleteMail, setMail, testMail, type Mail as MailServer } from '../api/instance.ts';
import { meQuery } from '../api/ui.ts';
import { Part } from '../forms/Part.tsx';
import { Confirm } from '../forms/Confirm.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { useKept } from '../shell/useKept.ts';
import { formWords } from '../words/forms.ts';
import { instanceWords } from '../words/instance.ts';
import { settingsQuery } from './Settings.tsx';

const words = instanceWords.mail;
const KEYS = ['instance-settings', 'ui'];

export function Mail() {
  const settings = useQuery(settingsQuery);
  return (
    <Awaited of={settings}>
      {({ email }) => (
        <>
          <Part title={words.title} help={words.help}>
            {email.source === 'environment' ? <ByEnvironment mail={email} /> : <Form mail={email} />}
          </Part>
          {email.configured && <Test />}
        </>
      )}
    </Awaited>
  );
}

function ByEnvironment({ mail }: { mail: MailServer }) {
  return (
    <>
      <p className="notice">
        <Info size={14} aria-hidden />
        {words.fromEnvironment}
      </p>
      <dl className="definition">
        <dt>{words.host}</dt>
        <dd>
          {mail.host}:{mail.port}
        </dd>
        <dt>{words.from}</dt>
        <dd>{mail.from}</dd>
      </dl>
    </>
  );
}

function Form({ mail }: { mail: MailServer }) {
  const saved = { host: mail.host ?? '', port: String(mail.port ?? 587), user: mail.user ?? '', from: mail.from ?? '' };
  const [kept, setKept, forget] = useKept<typeof saved | null>('instance:mail', null);
  // Never kept beyond the page.
  const [pass, setPass] = useState('');
  const [isAsking, setAsking] = useState(false);
  const typed = kept ?? saved;
  const set = (change: Partial<typeof saved>): void => setKept({ ...typed, ...change });
  const save = useChange(
    () => setMail({ host: typed.host.trim(), port: Number(typed.port), user: typed.user, pass, from: typed.from.trim() }),
    KEYS,
    () => {
      forget();
      setPass('');
      return words.saved;
    },
  );
  const off = useChange(deleteMail, KEYS, () => (setAsking(false), forget(), words.offDone));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form className="form" onSubmit={submit} autoComplete="off">
      <div className="field-row">
        <label>
          {words.host}
          <input className="input" required spellCheck={false} autoCapitalize="none" value={typed.host} placeholder="smtp.example.org" onChange={(event) => set({ host: event.target.value })} />
        </label>
        <label>
          {words.port}
          <input className="input" required inputMode="numeric" pattern="[0-9]{1,5}" value={typed.port} onChange={(event) => set({ port: event.target.value })} />
        </label>
      </div>
      <div className="field-row">
        <label>
          {words.user}
          <input className="input" autoComplete="off" spellCheck={false} value={typed.user} onChange={(event) => set({ user: event.target.value })} />
        </label>
        <label>
          {words.pass}
          <input className="input" type="password" autoComplete="new-password" value={pass} onChange={(event) => setPass(event.target.value)} />
        </label>
      </div>
      {mail.hasPassword && <p className="help">{words.passKept}</p>}
      <label>
        {words.from}
        <input className="input" required value={typed.from} onChange={(event) => set({ from: event.target.value })} />
        <span className="help">{words.fromHelp}</span>
      </label>
      <Refusal of={save.error} />
      <div className="button-row">
        <button type="submit" className="button primary" disabled={save.isPending}>
          {save.isPending ? formWords.saving : formWords.save}
        </button>
        {mail.configured && (
          <button type="button" className="button danger" onClick={() => setAsking(true)}>
            {words.off}
          </button>
        )}
      </div>
      {isAsking && (
        <Confirm title={words.offTitle} action={words.offNow} isBusy={off.isPending} error={off.error} onConfirm={() => off.mutate(undefined)} onClose={() => setAsking(false)}>
          {words.offHelp}
        </Confirm>
      )}
    </form>
  );
}

function Test() {
  const { data: me } = useQuery(meQuery);
  const test = useChange(testMail, []);
  return (
    <Part
      title={words.test}
      help={words.testHelp}
      action={
        <button type="button" className="button" disabled={test.isPending} onClick={() => test.mutate(undefined)}>
          {test.isPending ? words.sending : words.test}
        </button>
      }
    >
      {test.data?.sent === true && (
        <p className="notice good" role="status">
          <CircleCheck size={14} aria-hidden />
          {words.sent(me?.user?.email ?? '')}
        </p>
      )}
      {test.data?.sent === false && (
        <p className="notice bad" role="alert">
          <CircleAlert size={14} aria-hidden />
          <span>
            {words.notSent} {test.data.error ?? words.noAnswer}
          </span>
        </p>
      )}
      <Refusal of={test.error} />
    </Part>
  );
}
