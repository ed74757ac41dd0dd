import { Switch } from 'radix-ui';
import { saveSetting } from '../../model/git.ts';
import { loadSettings } from '../../model/loading.ts';
import { Remotely } from '../../parts/State.tsx';
import { useDraft } from '../../parts/useDraft.ts';
import { Window } from '../../parts/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Setting } from '../../wire/project.ts';
import { words } from '../../words.ts';

/** The configuration of the three files, each key with its owner. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const settings = useModel((model) => model.settings);
  return (
    <Window title={words.settingsTitle} wide onClose={onClose}>
      <Remotely of={settings} loading={words.readingSettings} failed={words.failedSettings} again={() => loadSettings(editor)}>
        {({ settings, warnings }) => (
          <div>
            {warnings.map((warning) => (
              <p key={warning} className="notice warn">
                {warning}
              </p>
            ))}
            {byFile(settings).map(([file, some]) => (
              <section key={file} aria-label={file}>
                <h3 className="settings-file">
                  <code>{file}</code> {some.some(({ restart }) => restart) && <span className="meta">{words.restart}</span>}
                </h3>
                {some.map((setting) => (
                  <Field key={setting.key} setting={setting} />
                ))}
              </section>
            ))}
          </div>
        )}
      </Remotely>
    </Window>
  );
}

/** Each file with its keys, in the order they came. */
function byFile(settings: Setting[]): [string, Setting[]][] {
  const files = new Map<string, Setting[]>();
  for (const setting of settings) {
    const file = setting.file ?? '';
    files.set(file, [...(files.get(file) ?? []), setting]);
  }
  return [...files];
}

function Field({ setting }: { setting: Setting }) {
  return (
    <div className="setting">
      <span>
        <code>{setting.key}</code> {setting.pending && <span className="badge warn">{words.pending}</span>}
      </span>
      <span className="help">
        {setting.description} {setting.byEnvironment && setting.variable !== null ? words.byVariable(setting.variable) : ''}
      </span>
      <span className="control">
        <Control setting={setting} />
      </span>
      {setting.problem !== null && <span className="problem">{setting.problem}</span>}
    </div>
  );
}

function Control({ setting: { key, value, default: fallback, editable, byEnvironment } }: { setting: Setting }) {
  const editor = useEditor();
  const now = value ?? fallback;
  if (typeof now === 'boolean') {
    return (
      <Switch.Root className="switch" aria-label={key} checked={now} disabled={!editable || byEnvironment} onCheckedChange={(checked) => void saveSetting(editor, key, checked)}>
        <Switch.Thumb />
      </Switch.Root>
    );
  }
  if (typeof now === 'number' && editable) return <NumberField name={key} value={now} />;
  return <code className="place">{now === null || now === undefined ? words.isDefault : typeof now === 'string' ? now : JSON.stringify(now)}</code>;
}

function NumberField({ name, value }: { name: string; value: number }) {
  const editor = useEditor();
  const { draft, setDraft, dirty, reset } = useDraft(String(value));
  const save = async (): Promise<void> => {
    const number = Number(draft);
    if (!dirty) return;
    if (!Number.isFinite(number) || !(await saveSetting(editor, name, number))) reset();
  };
  return (
    <input
      className="input number"
      style={{ width: 90 }}
      inputMode="numeric"
      aria-label={name}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => (event.key === 'Enter' ? void save() : undefined)}
    />
  );
}
