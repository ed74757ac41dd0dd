import { Window } from '@kit/Window.tsx';
import { deletePlan } from '../../model/canvas.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

export default function DeletePlan({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const plan = useModel((model) => model.plan?.name ?? '');
  const remove = async (): Promise<void> => {
    if (await deletePlan(editor, plan)) onClose();
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="button" className="button danger" onClick={() => void remove()}>
        {messages.delete}
      </button>
    </>
  );
  return <Window title={messages.planDeleteTitle(plan)} about={messages.planDeleteHelp} foot={foot} onClose={onClose} />;
}
