/** Pictures: those the project has, and adding one. */
import { AddedAssetSchema, AssetsSchema } from '../api/project.ts';
import { loading, settled } from '../api/result.ts';
import { edit } from './edits.ts';
import type { Editor } from './editor.ts';
import { refreshAfterEdit } from './loading.ts';
import type { PageNode } from '../api/page.ts';
import { sayRefusal, whileBusy } from './say.ts';
import { group } from './several.ts';

export async function loadAssets({ call, store }: Editor): Promise<void> {
  store.setState(({ assets }) => ({ assets: loading(assets) }));
  const result = await call(AssetsSchema, '/api/editor/assets');
  store.setState({ assets: settled(result.ok ? { ok: true, value: result.value.assets } : result) });
}

/** Puts a file into `public/` and names it in the attribute: taken back as one step. */
export async function addPicture(editor: Editor, file: File, attribute: string): Promise<boolean> {
  const result = await whileBusy(editor, editor.call(AddedAssetSchema, '/api/editor/assets', { method: 'PUT', query: { name: file.name }, file }));
  if (!result.ok) {
    sayRefusal(editor, `${file.name}: not added`, result.refusal);
    return false;
  }
  const { address, path, editId } = result.value;
  refreshAfterEdit(editor, [path]);
  void loadAssets(editor);
  const done = await edit(editor, { kind: 'attribute', name: attribute, value: address }, { title: `Set ${attribute}` });
  group(editor, [editId, done?.editId ?? null]);
  return done !== null;
}

/** Places in the page that a link can lead to. */
export function anchorsOf(nodes: readonly PageNode[]): string[] {
  return nodes.flatMap(({ mark, children }) => [...(/^#[^.]+/.exec(mark) ?? []), ...anchorsOf(children)]);
}
