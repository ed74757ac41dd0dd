/** Pictures: those the project has, and adding one. */
import { AddedAssetSchema, AssetsSchema } from '../api/project.ts';
import { loading, settled } from '../api/result.ts';
import type { Edited } from '../api/edit.ts';
import type { Attribute } from '../api/inspection.ts';
import { edit } from './edits.ts';
import type { Editor } from './editor.ts';
import { refreshAfterEdit } from './loading.ts';
import type { PageNode } from '../api/page.ts';
import { sayRefusal, whileBusy } from './say.ts';
import { group } from './several.ts';

export async function loadAssets({ call, store }: Editor): Promise<void> {
  store.setState(({ assets }) => ({ assets: loading(assets) }));
  const result = await call(AssetsSchema, '/api/editor/assets');
  store.setState({ assets: settled(result) });
}

/** Puts a file into a folder of the project and names it in the attribute: taken back as one step. */
export async function addPicture(editor: Editor, file: File, attribute: string, folder: string): Promise<boolean> {
  const result = await whileBusy(editor, editor.call(AddedAssetSchema, '/api/editor/assets', { method: 'PUT', query: { name: file.name, folder }, file }));
  if (!result.ok) {
    sayRefusal(editor, `${file.name}: not added`, result.refusal);
    return false;
  }
  const { path, editId } = result.value;
  refreshAfterEdit(editor, [path]);
  void loadAssets(editor);
  const done = await setPicture(editor, path, attribute);
  group(editor, [editId, done?.editId ?? null]);
  return done !== null;
}

/** Names a picture of the project in the attribute. */
export function setPicture(editor: Editor, path: string, attribute: string): Promise<Edited | null> {
  return edit(editor, { kind: 'picture', name: attribute, path }, { title: `Set ${attribute}` });
}

/** Where a new picture goes: beside the source when the one before it came from there. */
export function folderFor({ value, form }: Pick<Attribute, 'value' | 'form'>, folders: readonly string[]): string {
  const [first = 'public', beside = first] = folders;
  return form === 'expression' || form === 'bound' || /^[.@~]/.test(value ?? '') ? beside : first;
}

/** Places in the page that a link can lead to. */
export function anchorsOf(nodes: readonly PageNode[]): string[] {
  return nodes.flatMap(({ mark, children }) => [...(/^#[^.]+/.exec(mark) ?? []), ...anchorsOf(children)]);
}
