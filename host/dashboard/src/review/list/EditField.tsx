import { WriteField } from '@kit/WriteField.tsx';
import { reviewWords } from '../../words.ts';
import { useReviewing } from '../context.tsx';
import { readableMod } from '../model/keys.ts';

/** Changing a text in its place. It stays in the field until the server has taken it. */
export function EditField({ body, label, onSave, onDone }: { body: string; label: string; onSave: (body: string, mentions: string[]) => Promise<boolean>; onDone: () => void }) {
  const { people } = useReviewing();
  const save = async (next: string, mentions: string[]): Promise<boolean> => {
    const saved = await onSave(next, mentions);
    if (saved) onDone();
    // An emptied field would flash before it goes.
    return false;
  };
  return (
    <div className="composer">
      <WriteField label={label} button={reviewWords.save} people={people} sendKeys={readableMod('Enter')} draft={body} onSend={save} onCancel={onDone} autoFocus />
    </div>
  );
}
