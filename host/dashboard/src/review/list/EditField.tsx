import { WriteField } from '@kit/WriteField.tsx';
import { useState } from 'react';
import { reviewWords } from '../../words.ts';
import { useReviewing } from '../context.tsx';
import { readableMod } from '../model/keys.ts';
import { useDrafts } from '../use/useDrafts.ts';

interface Given {
  /** Of the comment or the reply. */
  id: string;
  body: string;
  autoFocus: boolean;
  onSave: (body: string, mentions: string[]) => Promise<boolean>;
  onDone: () => void;
}

/** Changing a text in its place. What is typed is kept until the server has taken it, or its writer cancels. */
export function EditField({ id, body, autoFocus, onSave, onDone }: Given) {
  const { people } = useReviewing();
  const drafts = useDrafts();
  const place = placeOf(id);
  const done = (): void => {
    drafts.write(place, '');
    onDone();
  };
  const save = async (next: string, mentions: string[]): Promise<boolean> => {
    const saved = await onSave(next, mentions);
    if (saved) done();
    // An emptied field would flash before it goes.
    return false;
  };
  return (
    <div className="composer">
      <WriteField
        label={reviewWords.editing}
        button={reviewWords.save}
        people={people}
        sendKeys={readableMod('Enter')}
        draft={drafts.read(place) || body}
        onDraft={(text) => drafts.write(place, text === body ? '' : text)}
        onSend={save}
        onCancel={done}
        autoFocus={autoFocus}
      />
    </div>
  );
}

/** A text is being changed since somebody asked for it, or since before, as its draft says; then nobody waits for the focus. */
export type Editing = 'asked' | 'kept' | null;

/** Whether the text of a comment or a reply is being changed: also after a reload, and when its row comes back into view. */
export function useEditing(id: string, mayChange: boolean): [Editing, (editing: Editing) => void] {
  const drafts = useDrafts();
  return useState<Editing>(() => (mayChange && drafts.read(placeOf(id)) !== '' ? 'kept' : null));
}

const placeOf = (id: string): string => `edit:${id}`;
