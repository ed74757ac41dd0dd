import { discard } from '../../model/git.ts';
import { Window } from '../../parts/Window.tsx';
import { useEditor } from '../../react/use.ts';
import { words } from '../../words.ts';

export function DiscardDialog({ path, onClose }: { path: string | null; onClose: () => void }) {
  const editor = useEditor();
  const go = async (): Promise<void> => {
    onClose();
    await discard(editor, path);
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {words.cancel}
      </button>
      <button type="button" className="button danger" onClick={() => void go()}>
        {words.discard}
      </button>
    </>
  );
  return <Window title={words.discardTitle(path)} about={words.discardHelp} foot={foot} onClose={onClose} />;
}
