import { beforeEdit } from '../../actions/before.ts';
import { openPage } from '../../actions/open_page.ts';
import { pageBack, pageForward, pageReload } from '../../actions/page.ts';
import { ActionIcon } from '../../components/ActionButton.tsx';
import { useDraft } from '../../components/useDraft.ts';
import { pathOf } from '../../model/place.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** Where the prototype is, as a path of its own. */
export function AddressBar() {
  const editor = useEditor();
  const address = useModel((model) => model.page.address);
  const { draft, setDraft, reset } = useDraft(pathOf(address));
  return (
    <div className="addressbar">
      <ActionIcon action={pageBack} small className="extra" />
      <ActionIcon action={pageForward} small className="extra" />
      <ActionIcon action={pageReload} small />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          editor.page.send({ type: 'editor:go', to: draft.startsWith('/') ? draft : `/${draft}` });
        }}
      >
        <input
          className="input"
          aria-label={messages.address}
          value={draft}
          spellCheck={false}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={reset}
          onKeyDown={(event) => (event.key === 'Escape' ? reset() : undefined)}
        />
      </form>
      <ActionIcon action={beforeEdit} small />
      <ActionIcon action={openPage} small />
    </div>
  );
}
