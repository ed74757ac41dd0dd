import type { Person } from '@kit/mentions.ts';
import { WriteField as Field } from '@kit/WriteField.tsx';
import { useEffect } from 'react';
import { readableKeys } from '../../actions/keys.ts';
import { known } from '../../api/result.ts';
import { loadParticipants } from '../../model/loading.ts';
import { useEditor, useModel } from '../../react/use.ts';

interface Given {
  label: string;
  button: string;
  onSend: (body: string, mentions: string[]) => Promise<boolean>;
  onCancel?: () => void;
  autoFocus?: boolean;
}

const NOBODY: Person[] = [];

/** Writing a comment or a reply; the people of the linked project can be mentioned. */
export function WriteField(given: Given) {
  const editor = useEditor();
  const participants = useModel((model) => model.participants);
  useEffect(() => {
    if (participants.is === 'idle') void loadParticipants(editor);
  }, [editor, participants]);
  return <Field {...given} people={known(participants) ?? NOBODY} noPeople={participants.is === 'refused' ? participants.refusal.reason : undefined} sendKeys={readableKeys('Mod+Enter')} />;
}
