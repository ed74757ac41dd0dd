import { edit } from '../../model/edits.ts';
import { longPlace } from '../../model/place.ts';
import { useEditor, useModel } from '../../react/use.ts';
import type { Inspection } from '../../wire/inspection.ts';
import { words } from '../../words.ts';

/** One CSS property of the element: its value, where it is declared, and setting it. */
export interface StyleControl {
  property: string;
  /** What the source declares; empty when it declares nothing. */
  declared: string;
  /** What the page computes. */
  computed: string;
  editable: boolean;
  where: string;
  /** Shows a value in the page at once; `null` takes it back. */
  preview(value: string | null): void;
  /** Writes it into the source; `null` removes the declaration. Gives whether that was done. */
  commit(value: string | null): Promise<boolean>;
}

export function useStyle(facts: Inspection, property: string): StyleControl {
  const editor = useEditor();
  const id = useModel((model) => model.selection?.target?.id ?? null);
  const computed = useModel((model) => model.selection?.target?.styles[property] ?? '');
  // The last declaration wins.
  const entry = facts.styles.findLast((style) => style.property === property);
  const declaring = entry ?? facts.styles.findLast((style) => style.property === shorthandOf(property));
  const able = facts.can.style;
  const editable = entry ? entry.editable : able === true;
  const where = !editable
    ? (entry?.why ?? (able === true ? '' : able))
    : declaring
      ? words.whereSet(property, longPlace(declaring.at ?? facts.src), words.from[declaring.from], declaring.shared ?? 1)
      : words.whereNew(property, longPlace(facts.src));
  const preview = (value: string | null): void => {
    if (id !== null) editor.page.send({ type: 'editor:preview', id, property, value });
  };
  const commit = async (value: string | null): Promise<boolean> => {
    if ((value ?? '') === (entry?.value ?? '')) {
      preview(null);
      return true;
    }
    // Taken back first: afterwards the source decides what the page shows.
    const done = await edit(editor, { kind: 'style', property, value }, { title: value === null ? `Remove ${property}` : `Set ${property}` });
    preview(null);
    return done !== null;
  };
  return { property, declared: entry?.value ?? '', computed, editable, where, preview, commit };
}

/** The property that sets this one too: where it stands, this one is added. */
function shorthandOf(property: string): string | undefined {
  if (/^(row|column)-gap$/.test(property)) return 'gap';
  return /^(margin|padding|border(?!-radius)|background|font)(?=-)/.exec(property)?.[0];
}
