import { known } from '../../api/result.ts';
import { discard } from '../../model/git.ts';
import { Window } from '@kit/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

export function DiscardDialog({ path, onClose }: { path: string | null; onClose: () => void }) {
  const editor = useEditor();
  const status = useModel((model) => known(model.git));
  const files = status?.files.filter((file) => path === null || file.path === path) ?? [];
  const created = files.filter(({ state }) => state === 'untracked').map((file) => file.path);
  const go = async (): Promise<void> => {
    onClose();
    await discard(editor, path);
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="button" className="button danger" onClick={() => void go()}>
        {messages.discard}
      </button>
    </>
  );
  return <Window title={messages.discardTitle(path)} about={messages.discardHelp(files.length, created)} foot={foot} onClose={onClose} />;
}
