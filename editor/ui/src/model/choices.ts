/** "Which one do you mean?": which answer is suggested, what of the page each one means, and answers that hold for the session. */
import type { MarkedPlace } from '../api/page.ts';
import type { Choice, Refusal } from '../api/result.ts';
import { count } from '../messages.ts';
import type { Editor } from './editor.ts';
import type { Choosing, Kept, Model } from './model.ts';
import { toast } from './say.ts';
import { likelyUse } from './selecting.ts';
import type { PageNode } from '../api/page.ts';

/** The narrow answer: this element, then what the page shows here, then the first that does not change everything. */
export function suggested(choices: readonly Choice[], model: Pick<Model, 'selection'>): number {
  const rank = (choice: Choice): number => {
    if (choice.option === 'scope') return choice.value === 'item' ? 0 : 4;
    const { selection } = model;
    if (choice.option === 'usage' && selection !== null && likelyUse(selection)?.src === choice.value) return 1;
    const text = selection?.target?.text ?? '';
    return text !== '' && choice.label.includes(`“${text}”`) ? 1 : 2;
  };
  const ranks = choices.map(rank);
  return Math.max(0, ranks.indexOf(Math.min(...ranks)));
}

/** The elements of the page that an answer changes, as far as the page can tell; `property` asks it for those of the same rule. */
export function concerned(choice: Choice, { property }: Pick<Choosing, 'property'>, { selection, structure }: Pick<Model, 'selection' | 'structure'>): { places: MarkedPlace[]; property?: string } {
  if (selection === null) return { places: [] };
  const { src, item } = selection.subject;
  const here: MarkedPlace = { src, index: item ?? 0 };
  if (choice.option === 'scope') {
    if (choice.value === 'item') return { places: [here] };
    return property === null ? { places: [{ src }] } : { places: [here], property };
  }
  if (choice.option === 'usage') {
    const { usages, target } = selection;
    const at = usages.findIndex((usage) => usage.src === choice.value);
    // As many elements as uses: their order tells which is which.
    return { places: at >= 0 && target?.shared === usages.length ? [{ src, index: at }] : [] };
  }
  const texts = alike(structure ?? [], src).map(({ text }) => text);
  const at = texts.findIndex((text) => text !== '' && choice.label.includes(`“${text}”`));
  return { places: at < 0 ? [] : [{ src, index: at }] };
}

function alike(nodes: readonly PageNode[], src: string): PageNode[] {
  return nodes.flatMap((node) => [...(node.src === src ? [node] : []), ...alike(node.children, src)]);
}

/** An answer in words of the page; what the program calls it stands below. */
export function spoken(choice: Choice, marked: number | null): { label: string; help: string } {
  if (choice.option !== 'scope') return { label: choice.label, help: '' };
  if (choice.value === 'item') return { label: 'Only this element', help: choice.label.replace(/^Only this element(?:, )?/, '') };
  const many = marked === null ? 'Everywhere it is used' : marked > 1 ? `All ${count(marked, 'element')} outlined in the page, and where else it is used` : 'Everywhere it is used, also where this page does not show it';
  return { label: many, help: choice.label };
}

/** What was answered before, for this kind of edit. */
export function keptAnswer({ kept }: Pick<Model, 'kept'>, kind: string, { choices }: Refusal): Choice | undefined {
  return choices.find(({ option, value }) => option === 'scope' && value === kept[kind]);
}

/** Answers the same for the rest of the session. */
export function keepAnswer(editor: Editor, kind: string, answer: Kept): void {
  editor.store.setState(({ kept }) => ({ kept: { ...kept, [kind]: answer } }));
  const title = answer === 'item' ? 'Edits of this kind change only the element from now on' : 'Edits of this kind change everything alike from now on';
  toast(editor, { title, words: 'Until the Editor is loaded anew.', action: 'ask-again' });
}
