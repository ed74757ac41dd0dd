/** Asking the program for what is shown. Each function asks for one thing and stores whatever comes of it. */
import { DiffsSchema, HistorySchema } from '../api/edit.ts';
import { BranchesSchema, GitStatusSchema, PublishPlanSchema } from '../api/git.ts';
import { ClassesSchema, FilesSchema, OutlineSchema } from '../api/inspection.ts';
import { CommentsSchema, ParticipantsSchema, ProjectSchema, SettingsSchema } from '../api/project.ts';
import { known, loading, settled, type Result } from '../api/result.ts';
import { SessionSchema } from '../api/session.ts';
import type { Editor } from './editor.ts';
import type { Model } from './model.ts';

export async function loadSession({ call, store }: Editor): Promise<void> {
  const result = await call(SessionSchema, '/api/editor/state');
  store.setState(result.ok ? { session: result.value, sessionRefused: null, log: result.value.host.log } : { sessionRefused: result.refusal });
}

/** Editors that ask for the history, and whether it changed since. */
const askingHistory = new WeakMap<Editor, { again: boolean }>();

/**
 * Its answer waits while an edit is looked at, so only one request is under way: browsers have six connections to a program, and the
 * page's answer, which that edit waits for, needs one.
 */
export async function loadHistory(editor: Editor): Promise<void> {
  const { call, store } = editor;
  const underWay = askingHistory.get(editor);
  if (underWay) {
    underWay.again = true;
    return;
  }
  const asking = { again: true };
  askingHistory.set(editor, asking);
  while (asking.again) {
    asking.again = false;
    store.setState(({ history }) => ({ history: loading(history) }));
    store.setState({ history: settled(await call(HistorySchema, '/api/editor/history')) });
  }
  askingHistory.delete(editor);
}

export async function loadGit({ call, store }: Editor): Promise<void> {
  store.setState(({ git }) => ({ git: loading(git) }));
  store.setState({ git: settled(await call(GitStatusSchema, '/api/git/status')) });
}

export async function loadBranches({ call, store }: Editor): Promise<void> {
  store.setState(({ branches }) => ({ branches: loading(branches) }));
  store.setState({ branches: settled(await call(BranchesSchema, '/api/git/branches')) });
}

export async function loadDiff({ call, store }: Editor): Promise<void> {
  store.setState(({ diff }) => ({ diff: loading(diff) }));
  store.setState({ diff: settled(map(await call(DiffsSchema, '/api/git/diff'), ({ files }) => files)) });
}

export async function loadPublishing({ call, store }: Editor): Promise<void> {
  store.setState(({ publishing }) => ({ publishing: loading(publishing) }));
  store.setState({ publishing: settled(await call(PublishPlanSchema, '/api/git/publish')) });
}

export async function loadFiles({ call, store }: Editor): Promise<void> {
  store.setState(({ files }) => ({ files: loading(files) }));
  store.setState({ files: settled(map(await call(FilesSchema, '/api/editor/tree'), ({ files }) => files)) });
}

export async function loadOutline({ call, store }: Editor, path: string): Promise<void> {
  store.setState(({ outlines }) => ({ outlines: { ...outlines, [path]: loading(outlines[path] ?? { is: 'idle' }) } }));
  const result = await call(OutlineSchema, '/api/editor/tree', { query: { path } });
  store.setState(({ outlines }) => ({ outlines: { ...outlines, [path]: settled(result) } }));
}

export async function loadClasses({ call, store }: Editor): Promise<void> {
  store.setState(({ classes }) => ({ classes: loading(classes) }));
  store.setState({ classes: settled(await call(ClassesSchema, '/api/editor/classes')) });
}

export async function loadProject(editor: Editor): Promise<void> {
  const { call, store } = editor;
  store.setState(({ project }) => ({ project: loading(project) }));
  const result = await call(ProjectSchema, '/api/project');
  store.setState({ project: settled(result) });
  if (result.ok && result.value.linked) await loadComments(editor);
}

export async function loadComments({ call, store }: Editor): Promise<void> {
  store.setState(({ comments }) => ({ comments: loading(comments) }));
  store.setState({ comments: settled(map(await call(CommentsSchema, '/api/project/comments'), ({ comments }) => comments)) });
}

export async function loadParticipants({ call, store }: Editor): Promise<void> {
  store.setState(({ participants }) => ({ participants: loading(participants) }));
  store.setState({ participants: settled(map(await call(ParticipantsSchema, '/api/project/participants'), ({ participants }) => participants)) });
}

export async function loadSettings({ call, store }: Editor): Promise<void> {
  store.setState(({ settings }) => ({ settings: loading(settings) }));
  store.setState({ settings: settled(await call(SettingsSchema, '/api/settings')) });
}

/** What an edit, by whomever, makes old. Only what somebody looks at is asked for again. */
export function refreshAfterEdit(editor: Editor, paths: string[]): void {
  const { outlines, rightTab, files } = editor.store.getState();
  void loadHistory(editor);
  void loadGit(editor);
  if (rightTab === 'changes') void loadDiff(editor);
  for (const path of paths) if (outlines[path]) void loadOutline(editor, path);
  if (known(files) && paths.some((path) => !known(files)?.some((file) => file.path === path))) void loadFiles(editor);
}

function map<A, B>(result: Result<A>, change: (value: A) => B): Result<B> {
  return result.ok ? { ok: true, value: change(result.value) } : result;
}

/** The keys of the model that hold something asked for. */
export type RemoteKey = { [K in keyof Model]: Model[K] extends { is: string } | null ? K : never }[keyof Model];
