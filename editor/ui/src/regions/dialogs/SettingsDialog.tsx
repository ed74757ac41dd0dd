import { Switch } from 'radix-ui';
import { useState, type KeyboardEvent } from 'react';
import { saveSetting } from '../../model/git.ts';
import { loadSettings } from '../../model/loading.ts';
import { readSetting, settingGroups, shownSetting } from '../../model/settings.ts';
import { Remotely } from '../../components/Remotely.tsx';
import { useDraft } from '../../components/useDraft.ts';
import { Window } from '@kit/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Setting } from '../../api/project.ts';
import { messages } from '../../messages.ts';
import { ModelsSection } from './ModelsSection.tsx';

/** What the section of models is found by. */
const MODELS = 'models provider key model base url refused edits';

/** The configuration of the three files, in groups; each key names the file that owns it. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const settings = useModel((model) => model.settings);
  const [find, setFind] = useState('');
  return (
    <Window title={messages.settingsTitle} wide onClose={onClose}>
      <Remotely of={settings} loading={messages.readingSettings} failed={messages.failedSettings} again={() => loadSettings(editor)}>
        {({ settings, warnings }) => (
          <div>
            {warnings.map((warning) => (
              <p key={warning} className="notice warn">
                {warning}
              </p>
            ))}
            <div className="settings-find">
              <input className="input" type="search" autoFocus aria-label={messages.findSetting} placeholder={messages.findSetting} value={find} onChange={(event) => setFind(event.target.value)} />
              <span className="help">{messages.restart}</span>
            </div>
            {MODELS.includes(find.trim().toLowerCase()) && <ModelsSection />}
            {settingGroups(settings, find).map((group) => (
              <section key={group.name} aria-label={group.name}>
                <h3 className="settings-group">{group.name}</h3>
                {group.settings.map((setting) => (
                  <Field key={setting.key} setting={setting} />
                ))}
              </section>
            ))}
            {settingGroups(settings, find).length === 0 && !MODELS.includes(find.trim().toLowerCase()) && <p className="help">{messages.noSetting}</p>}
          </div>
        )}
      </Remotely>
    </Window>
  );
}

function Field({ setting }: { setting: Setting }) {
  return (
    <div className="setting">
      <span>
        {setting.description} {setting.pending && <span className="badge warn">{messages.pending}</span>} {!setting.works && <span className="badge">{messages.toCome}</span>}
      </span>
      <span className="help">
        <code>{setting.key}</code> {setting.file} {setting.byEnvironment && setting.variable !== null ? messages.byVariable(setting.variable) : ''}
      </span>
      <span className="control">
        <Control setting={setting} />
      </span>
      {setting.problem !== null && <span className="problem">{setting.problem}</span>}
    </div>
  );
}

function Control({ setting }: { setting: Setting }) {
  const editor = useEditor();
  const { key, kind, value, default: fallback, editable, byEnvironment } = setting;
  const now = value ?? fallback;
  if (kind === 'boolean') {
    return (
      <Switch.Root className="switch" aria-label={key} checked={now === true} disabled={!editable || byEnvironment} onCheckedChange={(checked) => void saveSetting(editor, key, checked)}>
        <Switch.Thumb />
      </Switch.Root>
    );
  }
  if (!editable) return <code className="place">{now === null || now === undefined ? messages.isDefault : typeof now === 'string' ? now : JSON.stringify(now)}</code>;
  return <Written setting={setting} />;
}

/** A setting that is written: a number, a text, texts line by line, or what else JSON can say. */
function Written({ setting: { key, kind, value, default: fallback, isSet } }: { setting: Setting }) {
  const editor = useEditor();
  const { draft, setDraft, dirty, sent, reset } = useDraft(shownSetting(kind, isSet ? value : null));
  const [wrong, setWrong] = useState<string | null>(null);
  const read = readSetting(kind, draft);
  const save = async (): Promise<void> => {
    if (!dirty) return;
    if (!read.ok) return setWrong(read.why);
    sent();
    if (!(await saveSetting(editor, key, read.value))) reset();
  };
  const given = {
    'aria-label': key,
    'aria-invalid': wrong !== null,
    'data-dirty': dirty ? '' : undefined,
    spellCheck: false,
    placeholder: shownSetting(kind, fallback) || messages.isDefault,
    value: draft,
    onChange: (event: { target: { value: string } }) => {
      setDraft(event.target.value);
      setWrong(null);
    },
    onBlur: () => void save(),
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !dirty) return;
    reset();
    setWrong(null);
  };
  const lines = kind === 'texts' || kind === 'list' || kind === 'object';
  return (
    <span className="written">
      {lines ? (
        <textarea {...given} className="area mono" rows={Math.min(8, Math.max(1, given.value.split('\n').length))} style={{ minHeight: 0 }} onKeyDown={leave} />
      ) : (
        <input {...given} className="input" inputMode={kind === 'number' ? 'decimal' : 'text'} onKeyDown={(event) => (event.key === 'Enter' ? void save() : leave(event))} />
      )}
      {kind === 'texts' && <span className="help">{messages.onePerLine}</span>}
      {wrong !== null && <span className="problem" role="alert">{wrong}</span>}
      {isSet && (
        <button type="button" className="button plain" onClick={() => void saveSetting(editor, key, null)}>
          {messages.toDefault}
        </button>
      )}
    </span>
  );
}
