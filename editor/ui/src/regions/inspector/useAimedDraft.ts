import { useEffect, useRef } from 'react';
import { useDraft, type Draft } from '../../components/useDraft.ts';
import { aimed } from '../../model/aiming.ts';
import type { Aimed } from '../../model/edit_queue.ts';
import type { Edited } from '../../api/edit.ts';
import type { Aim } from '../../model/edit_queue.ts';
import { useEditor } from '../../react/use.ts';

/** What is typed in a field is meant for what was there when typing began, whatever takes its place in the field meanwhile. */
export function useAim(): { begin(before?: string | null): Aim; end(aim?: Aim): void } {
  const editor = useEditor();
  const begun = useRef<Aimed | null>(null);
  /** With `aim` only that one. */
  const end = (aim = begun.current?.aim): void => {
    if (begun.current?.aim !== aim) return;
    begun.current?.release();
    begun.current = null;
  };
  useEffect(() => () => end(), []);
  return { begin: (before = null) => (begun.current ??= aimed(editor, { before })).aim, end };
}

interface AimedDraft extends Omit<Draft, 'sent' | 'refuse'> {
  /** Saves what is there to save; after a refusal only what is sent `again`. */
  save(edit: (aim: Aim) => Promise<Edited | null>, again?: boolean): Promise<void>;
}

/** A draft of what stands in the source; `before` is the text that it is typed over. */
export function useAimedDraft(value: string, before: string | null = null): AimedDraft {
  const { begin, end } = useAim();
  const { draft, setDraft, dirty, refused, sent, refuse, reset } = useDraft(value);
  return {
    draft,
    setDraft: (text) => {
      // Typed again after a refusal it is meant for what is there now.
      if (refused) end();
      begin(before);
      setDraft(text);
    },
    dirty,
    refused,
    reset: () => (end(), reset()),
    save: async (edit, again = false) => {
      if (!dirty && !(again && refused)) return;
      const aim = begin(before);
      sent();
      if ((await edit(aim)) === null) return refuse();
      end(aim);
    },
  };
}
