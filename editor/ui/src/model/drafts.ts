/** Texts that were typed and are not saved: notes and files. They outlive the field they were typed into. */
import type { Editor } from './editor.ts';
import type { Draft } from './model.ts';

export function noteKey(name: string): string {
  return `note ${name}`;
}

export function fileKey(path: string): string {
  return `file ${path}`;
}

/** Keeps what was typed over `base`; a draft that is there already keeps the base it began with. */
export function keepDraft({ store }: Editor, key: string, base: Draft['base'], text: string): void {
  store.setState(({ drafts }) => {
    const draft = { text, base: drafts[key]?.base ?? base };
    return { drafts: text === draft.base.text ? without(drafts, key) : { ...drafts, [key]: draft } };
  });
}

/** A text was saved: what was typed meanwhile stays a draft, over what is saved now. */
export function draftSaved({ store }: Editor, key: string, saved: Draft['base']): void {
  store.setState(({ drafts }) => {
    const draft = drafts[key];
    if (!draft) return {};
    return { drafts: draft.text === saved.text ? without(drafts, key) : { ...drafts, [key]: { text: draft.text, base: saved } } };
  });
}

/** Gives the draft up. */
export function dropDraft({ store }: Editor, key: string): void {
  store.setState(({ drafts }) => ({ drafts: without(drafts, key) }));
}

function without(drafts: Record<string, Draft>, key: string): Record<string, Draft> {
  const { [key]: _, ...others } = drafts;
  return others;
}
