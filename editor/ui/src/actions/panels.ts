import { known } from '../api/result.ts';
import type { Editor } from '../model/editor.ts';
import { loadDiff, loadFiles, loadHistory } from '../model/loading.ts';
import { showRight, type LeftTab, type Model, type RightTab } from '../model/model.ts';
import { showCanvas } from '../model/canvas.ts';
import { openFile } from '../model/files.ts';
import { chatShown } from '../model/models.ts';
import { fileOf } from '../model/place.ts';
import { subjectOf } from '../model/selecting.ts';
import { action, type Action } from './action.ts';

function rightShown({ narrow, drawer, right }: Model): boolean {
  return narrow.right ? drawer === 'right' : right;
}

export const toggleLeft = action({
  id: 'toggle-left',
  label: 'Structure',
  group: 'View',
  keys: ['Mod+B'],
  pressed: (model) => (model.narrow.left ? model.drawer === 'left' : model.left),
  perform: ({ store }) => store.setState(({ left, drawer, narrow }) => (narrow.left ? { drawer: drawer === 'left' ? null : 'left' } : { left: !left })),
});

export const toggleRight = action({
  id: 'toggle-right',
  label: 'Inspector',
  group: 'View',
  keys: ['Mod+I'],
  pressed: rightShown,
  perform: ({ store }) => store.setState(({ right, drawer, narrow }) => (narrow.right ? { drawer: drawer === 'right' ? null : 'right' } : { right: !right })),
});

const CODE_OFF = 'Set editor.codeView to true in .tool/config.json and start the Editor again.';

export const toggleCode = action({
  id: 'toggle-code',
  label: 'Code',
  group: 'View',
  keys: ['Mod+E'],
  available: ({ session }) => session?.features.codeView === true || CODE_OFF,
  hidden: ({ session }) => session?.features.codeView !== true,
  pressed: (model) => model.code,
  perform: async (editor) => {
    const { code, selection, file } = editor.store.getState();
    editor.store.setState({ code: !code });
    if (code) return;
    if (selection) await openFile(editor, fileOf(subjectOf(selection).src), selection.subject.src);
    else if (!file) await openFile(editor, await firstFile(editor), null);
  },
});

const CANVAS_OFF = 'Set editor.canvas to true in .tool/config.json and start the Editor again.';

export const toggleCanvas = action({
  id: 'toggle-canvas',
  label: 'Canvas: pages at several widths',
  group: 'View',
  keys: ['6'],
  available: ({ session }) => session?.features.canvas === true || CANVAS_OFF,
  hidden: ({ session }) => session?.features.canvas !== true,
  pressed: (model) => model.canvas,
  perform: (editor) => showCanvas(editor, !editor.store.getState().canvas),
});

/** What to read when nothing is selected: the root component, or another file with elements. */
async function firstFile(editor: Editor): Promise<string> {
  if (editor.store.getState().files.is === 'idle') await loadFiles(editor);
  const paths = known(editor.store.getState().files)?.map(({ path }) => path) ?? [];
  return paths.find((path) => /(^|\/)App\.(tsx|jsx|vue)$/.test(path)) ?? paths[0] ?? 'package.json';
}

function tree(id: LeftTab, label: string): Action {
  return action({
    id: `show-${id}`,
    label,
    group: 'View',
    pressed: (model) => (model.narrow.left ? model.drawer === 'left' : model.left) && model.leftTab === id,
    perform: ({ store }) => store.setState(({ narrow, drawer }) => ({ leftTab: id, left: true, drawer: narrow.left ? 'left' : drawer })),
  });
}

export const showPage = tree('page', 'Show the elements of the page');
export const showFiles = tree('files', 'Show the source files');

function tab(id: RightTab, label: string, opened?: (editor: Parameters<Action['perform']>[0]) => unknown, more: Pick<Action, 'hidden'> = {}): Action {
  const shown = (model: Model): boolean => rightShown(model) && model.rightTab === id;
  return action({
    id: `show-${id}`,
    label,
    group: 'View',
    pressed: shown,
    ...more,
    perform: (editor) => {
      showRight(editor, id);
      void opened?.(editor);
    },
  });
}

export const showInspector = tab('inspect', 'Show the inspector');
export const showComments = tab('comments', 'Show comments', ({ store }) => store.setState({ commentsTab: 'comments' }));
export const showNotes = action({
  id: 'show-notes',
  label: 'Show notes',
  group: 'View',
  hidden: ({ session }) => session?.features.notes !== true,
  pressed: (model) => rightShown(model) && model.rightTab === 'comments' && model.commentsTab === 'notes',
  perform: (editor) => {
    showRight(editor, 'comments');
    editor.store.setState({ commentsTab: 'notes' });
  },
});
export const showChanges = tab('changes', 'Show changes', loadDiff);
export const showHistory = tab('history', 'Show history', loadHistory);
export const showChat = tab('chat', 'Show the chat', undefined, { hidden: (model) => !chatShown(model) });
