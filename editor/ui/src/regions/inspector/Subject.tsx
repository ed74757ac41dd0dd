import { remove } from '../../actions/delete.ts';
import { duplicate } from '../../actions/duplicate.ts';
import { editText } from '../../actions/edit_text.ts';
import { insert } from '../../actions/insert.ts';
import { moveDown, moveUp } from '../../actions/move.ts';
import { swap } from '../../actions/swap.ts';
import { detach } from '../../actions/detach.ts';
import { selectParent } from '../../actions/walk.ts';
import { openFile } from '../../model/files.ts';
import { baseName, longPlace, shortPlace } from '../../model/place.ts';
import { clickedInside, focusUse, likelyUse, selectSource } from '../../model/selecting.ts';
import { clearAlso } from '../../model/several.ts';
import { ActionIcon } from '../../components/ActionButton.tsx';
import { Segments } from '@kit/Segments.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Inspection } from '../../api/inspection.ts';
import { messages } from '../../messages.ts';
import { copyPlace } from '../../actions/copy_place.ts';
import type { Usage } from '../../api/inspection.ts';

/** What is selected, where it stands, and whether a use or the component is meant. */
export function Subject({ facts }: { facts: Inspection }) {
  const editor = useEditor();
  const target = useModel((model) => model.selection?.target ?? null);
  const use = useModel((model) => model.selection?.use ?? null);
  const codeView = useModel((model) => model.session?.features.codeView === true);
  const also = useModel((model) => model.alsoSelected.length);
  const under = useModel((model) => model.selection?.under);
  const clicked = useModel((model) => (model.selection === null ? null : clickedInside(model.selection)));
  const open = (): void => {
    if (!codeView) return void copyPlace.perform(editor);
    editor.store.setState({ code: true });
    void openFile(editor, facts.path, facts.src);
  };
  const others = under?.filter(({ id, src }) => id !== target?.id && src !== null) ?? [];
  return (
    <div className="subject">
      <div className="subject-head">
        <h2>
          <code>&lt;{facts.tag}&gt;</code>
        </h2>
        {facts.component !== null && use === null && <span className="badge component">{messages.inComponent(facts.component)}</span>}
        {use === null && target !== null && target.shared > 1 ? (
          <span className="badge">{messages.repeated(target.index, target.shared)}</span>
        ) : (
          facts.repeated && <span className="badge">{messages.inList}</span>
        )}
        {facts.conditional && <span className="badge">{messages.conditional}</span>}
      </div>
      <button type="button" className="place" style={{ textAlign: 'left' }} onClick={open} title={codeView ? longPlace(facts.src) : `Copy ${longPlace(facts.src)}`}>
        {longPlace(facts.src)}
      </button>
      {clicked !== null && <p className="notice">{messages.clickedInside(clicked)}</p>}
      {also > 0 && (
        <p className="notice">
          <span>{messages.several(also + 1)}</span>
          <button type="button" className="button plain" onClick={() => clearAlso(editor)}>
            {messages.onlyOne}
          </button>
        </p>
      )}
      <UseSwitch facts={facts} use={use} />
      <div className="subject-tools">
        {[editText, insert, duplicate, remove, moveUp, moveDown, selectParent, swap, detach].map((action) => (
          <ActionIcon key={action.id} action={action} small />
        ))}
      </div>
      {others.length > 0 && (
        <div className="chips" role="group" aria-label={messages.under}>
          <span className="meta">{messages.under}:</span>
          {others.slice(0, 6).map(({ id, src, tag }) => (
            <button key={id} type="button" className="badge" title={src === null ? tag : shortPlace(src)} onClick={() => selectSource(editor, src ?? '', { id })}>
              {tag}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const NO_USAGES: Usage[] = [];

/** Everywhere or only here: asked where the component has more than one use, or one use is what is inspected. */
function UseSwitch({ facts, use }: { facts: Inspection; use: string | null }) {
  const editor = useEditor();
  const element = useModel((model) => model.selection?.subject.src ?? '');
  const usages = useModel((model) => model.selection?.usages ?? NO_USAGES);
  const likely = useModel((model) => (model.selection ? likelyUse(model.selection) : undefined));
  if (usages.length < 2 && use === null) return null;
  const chosen = usages.find((usage) => usage.src === use) ?? likely;
  const component = baseName(use === null ? facts.path : element.replace(/:\d+:\d+$/, ''));
  const options = [
    { value: 'use', label: messages.thisUse(baseName(chosen?.path ?? '')), show: <span>{messages.onlyHere}</span> },
    { value: 'component', label: messages.theComponent(component, usages.length), show: <span>{messages.everywhere}</span> },
  ];
  return (
    <>
      <Segments
        className="use-switch"
        wide
        label={messages.use}
        value={use === null ? 'component' : 'use'}
        options={options}
        onChange={(value) => focusUse(editor, value === 'use' ? (chosen?.src ?? null) : null)}
      />
      {use !== null && usages.length > 1 && (
        <select className="select" aria-label={messages.whichUse} value={use} onChange={(event) => focusUse(editor, event.target.value)}>
          {usages.map((usage) => (
            <option key={usage.src} value={usage.src}>
              {shortPlace(usage.src)} {usage.text ?? ''}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
