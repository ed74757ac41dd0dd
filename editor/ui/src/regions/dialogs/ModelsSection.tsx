import { useEffect, useId, useState, type FormEvent, type ReactNode } from 'react';
import { changeModels, loadModels, offeredModels } from '../../model/models.ts';
import { withWords } from '../../model/attempts.ts';
import { Remotely } from '../../components/Remotely.tsx';
import { useDraft } from '../../components/useDraft.ts';
import { Segments } from '@kit/Segments.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Models, ModelsChange, Provider } from '../../api/models.ts';
import type { Refusal } from '../../api/result.ts';
import { messages } from '../../messages.ts';

const CHOICES = ['ask', 'always', 'never'] as const;

/** Which provider is asked, with whose key. The key goes to the program and is never shown again. */
export function ModelsSection() {
  const editor = useEditor();
  const models = useModel((model) => model.models);
  useEffect(() => void loadModels(editor), [editor]);
  return (
    <section aria-label={messages.models} className="models">
      <h3 className="settings-group">{messages.models}</h3>
      <Remotely of={models} loading={messages.readingModels} failed={messages.failedModels} again={() => loadModels(editor)}>
        {(facts) => <Facts facts={facts} />}
      </Remotely>
    </section>
  );
}

function Facts({ facts }: { facts: Models }) {
  const editor = useEditor();
  const [refused, setRefused] = useState<Refusal | null>(null);
  const [checking, setChecking] = useState(false);
  const provider = facts.providers.find(({ id }) => id === facts.provider) ?? facts.providers[0];
  const apply = async (change: ModelsChange): Promise<boolean> => {
    setRefused(null);
    setChecking(true);
    const refusal = await changeModels(editor, change);
    setChecking(false);
    setRefused(refusal);
    return refusal === null;
  };
  if (!provider) return null;
  return (
    <>
      {facts.problem !== null && <p className="notice warn">{facts.problem}</p>}
      {facts.subscription && <p className="notice">{messages.subscription}</p>}
      <Chosen facts={facts} provider={provider} apply={apply} />
      <Key key={`key of ${provider.id}`} provider={provider} checking={checking} apply={apply} />
      {refused !== null && (
        <p className="notice bad" role="alert">
          {withWords(refused)}
        </p>
      )}
      <ModelField key={`model of ${provider.id}`} provider={provider} ready={facts.ready} apply={apply} />
      <Address key={`address of ${provider.id}`} provider={provider} apply={apply} />
      <Preference />
    </>
  );
}

interface Given {
  provider: Provider;
  apply: (change: ModelsChange) => Promise<boolean>;
}

function Chosen({ facts, provider, apply }: Given & { facts: Models }) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>{messages.provider}</label>
      <span className="help">{facts.providerVariable === null ? messages.providerHelp : messages.setByVariable(facts.providerVariable)}</span>
      <span className="control">
        <select id={id} className="select" disabled={facts.providerVariable !== null} value={provider.id} onChange={(event) => void apply({ provider: event.target.value })}>
          {facts.providers.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}

function Key({ provider, checking, apply }: Given & { checking: boolean }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const source = provider.key?.source ?? null;
  const key = typed.trim();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (key !== '' && !checking && (await apply({ provider: provider.id, key }))) setTyped('');
  };
  return (
    <form className="setting" onSubmit={(event) => void save(event)}>
      <label htmlFor={id}>
        {messages.key} {source !== null && <span className="badge good">{messages.keySet}</span>}
      </label>
      <span className="help" id={`${id}-help`}>{source === 'environment' ? messages.setByVariable(provider.variable) : messages.keyHelp(provider.name, provider.variable)}</span>
      <span className="control written">
        <input
          id={id}
          className="input"
          type="password"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-help`}
          data-dirty={typed === '' ? undefined : ''}
          disabled={source === 'environment'}
          placeholder={source === null ? messages.keyPlaceholder : messages.keyKept}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => (event.key === 'Escape' ? setTyped('') : undefined)}
        />
        {source !== 'environment' && (
          <span className="with-button">
            {source === 'stored' && (
              <button type="button" className="button plain" onClick={() => void apply({ provider: provider.id, key: null })}>
                {messages.forgetKey}
              </button>
            )}
            <button type="submit" className="button primary" disabled={key === '' || checking}>
              {checking && <span className="spinner" />}
              {checking ? messages.checkingKey : messages.keepKey}
            </button>
          </span>
        )}
      </span>
    </form>
  );
}

function ModelField({ provider, ready, apply }: Given & { ready: boolean }) {
  const editor = useEditor();
  const id = useId();
  const [offered, setOffered] = useState<string[]>([]);
  const ask = async (): Promise<void> => {
    if (ready && provider.key !== null && offered.length === 0) setOffered(await offeredModels(editor, provider.id));
  };
  return (
    <Text
      name={messages.model}
      help={provider.modelVariable === null ? '' : messages.setByVariable(provider.modelVariable)}
      disabled={provider.modelVariable !== null}
      value={provider.model ?? ''}
      usual={provider.defaultModel ?? messages.modelNeeded}
      list={id}
      onFocus={() => void ask()}
      save={(model) => apply({ provider: provider.id, model })}
    >
      <datalist id={id}>
        {offered.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </Text>
  );
}

function Address({ provider, apply }: Given) {
  return (
    <Text
      name={messages.providerUrl}
      help={provider.baseUrlVariable === null ? messages.providerUrlHelp : messages.setByVariable(provider.baseUrlVariable)}
      disabled={provider.baseUrlVariable !== null}
      value={provider.baseUrl ?? ''}
      usual={provider.defaultBaseUrl ?? messages.urlNeeded}
      save={(baseUrl) => apply({ provider: provider.id, baseUrl })}
    />
  );
}

interface Written {
  name: string;
  help: string;
  disabled: boolean;
  value: string;
  usual: string;
  list?: string;
  onFocus?: () => void;
  save: (text: string | null) => Promise<boolean>;
  children?: ReactNode;
}

/** A text of one's own; empty it is the usual one. */
function Text({ name, help, disabled, value, usual, list, onFocus, save, children }: Written) {
  const id = useId();
  // What is the usual one is shown as such.
  const { draft, setDraft, dirty, sent, reset } = useDraft(value === usual ? '' : value);
  const keep = async (): Promise<void> => {
    if (!dirty) return;
    const text = draft.trim();
    sent();
    if (!(await save(text === '' ? null : text))) reset();
  };
  return (
    <div className="setting">
      <label htmlFor={id}>{name}</label>
      <span className="help">{help}</span>
      <span className="control written">
        <input
          id={id}
          className="input"
          spellCheck={false}
          autoComplete="off"
          list={list}
          disabled={disabled}
          data-dirty={dirty ? '' : undefined}
          placeholder={usual}
          value={draft}
          onFocus={onFocus}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={() => void keep()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void keep();
            if (event.key === 'Escape' && dirty) reset();
          }}
        />
        {children}
      </span>
    </div>
  );
}

function Preference() {
  const { store } = useEditor();
  const chosen = useModel((model) => model.letModelTry);
  return (
    <div className="setting">
      <span>{messages.refusedEdits}</span>
      <span className="help">{messages.refusedEditsHelp}</span>
      <span className="control">
        <Segments
          label={messages.refusedEdits}
          value={chosen}
          options={CHOICES.map((value) => ({ value, label: messages.preferences[value] }))}
          onChange={(value) => store.setState({ letModelTry: CHOICES.find((each) => each === value) ?? 'ask' })}
        />
      </span>
    </div>
  );
}
