/** Branches, commits, publishing, discarding. Git's own words are shown when it refuses. */
import { CommittedSchema, DiscardedSchema, DoneSchema, PublishedSchema, type GitStatus, type PublishPlan } from '../api/git.ts';
import { ProjectSchema } from '../api/project.ts';
import type { Refusal } from '../api/result.ts';
import { count } from '../messages.ts';
import type { Editor } from './editor.ts';
import { loadBranches, loadDiff, loadGit, loadProject, loadSession, loadSettings, refreshAfterEdit } from './loading.ts';
import { dismissUndo, sayRefusal, toast, whileBusy } from './say.ts';
import { inspect } from './selecting.ts';

export async function switchBranch(editor: Editor, name: string, create: boolean): Promise<boolean> {
  const result = await whileBusy(editor, editor.call(DoneSchema, '/api/git/branch', { body: create ? { name, create } : { name } }));
  if (result.ok) void inspect(editor);
  if (result.ok) toast(editor, { tone: 'good', title: create ? `Made the branch ${name}` : `Switched to ${name}` });
  else sayRefusal(editor, 'The branch was not switched', result.refusal);
  void loadSession(editor);
  void loadGit(editor);
  void loadBranches(editor);
  return result.ok;
}

/** What a commit of these files could be called: the steps that it would hold, or an empty text without one. */
export function suggestedMessage(steps: GitStatus['steps'], paths: string[]): string {
  const held = steps.filter(({ files }) => files.some((file) => paths.includes(file)));
  // A title that comes again counts where it comes last.
  const titles = [...new Set(held.map(({ title }) => title).reverse())].reverse();
  const last = titles.at(-1) ?? '';
  return titles.length < 2 ? last : `${last} and ${titles.length - 1} more\n\n${titles.map((title) => `- ${title}`).join('\n')}`;
}

/** `author` is for this one commit, where git knows nobody. */
export async function makeCommit(editor: Editor, message: string, paths: string[], author: { name: string; email: string } | null = null): Promise<boolean> {
  const result = await editor.call(CommittedSchema, '/api/git/commit', { body: { message, paths, ...(author === null ? {} : { author }) } });
  if (result.ok) {
    const { commit, subject, files } = result.value;
    toast(editor, { tone: 'good', title: `Committed ${commit.slice(0, 7)}`, words: `${subject} — ${count(files.length, 'file')}`, action: 'publish' });
  } else sayRefusal(editor, 'Nothing was committed', result.refusal);
  void loadGit(editor);
  void loadDiff(editor);
  return result.ok;
}

export async function pushCommits(editor: Editor): Promise<boolean> {
  const { publishing } = editor.store.getState();
  const plan = publishing.is === 'ready' ? publishing.value : null;
  // What was shown is what is published.
  const body = { branch: plan?.branch ?? null, commits: plan?.commits.map(({ id }) => id) ?? [] };
  const result = await editor.call(PublishedSchema, '/api/git/publish', { body });
  if (result.ok) toast(editor, { tone: 'good', title: plan?.remote ? `Published to ${plan.remote}` : 'Published', words: published(plan, result.value.text) });
  else sayRefusal(editor, 'Nothing was published', result.refusal);
  void loadGit(editor);
  return result.ok;
}

/** What was pushed, and what the server says to it, such as where to open a pull request. The rest of git's text is for programs. */
function published(plan: PublishPlan | null, text: string): string {
  const said = text.split('\n').flatMap((line) => /^remote:\s*(\S.*)$/.exec(line.trim())?.[1] ?? []);
  const what = plan === null ? [] : [`${count(plan.commits.length, 'commit')} of ${plan.branch ?? 'HEAD'}`];
  return [...what, ...said].join('\n');
}

export async function discard(editor: Editor, path: string | null): Promise<boolean> {
  const result = await whileBusy(editor, editor.call(DiscardedSchema, '/api/git/discard', { body: path === null ? { all: true } : { path } }));
  if (result.ok) void inspect(editor);
  if (result.ok) dismissUndo(editor);
  if (result.ok && result.value.files.length === 0) toast(editor, { title: 'Nothing was discarded', words: 'What is changed is staged, or not for the Editor to discard.' });
  else if (result.ok) toast(editor, { title: path === null ? 'Discarded all changes' : `Discarded the changes of ${path}`, action: 'undo' });
  else sayRefusal(editor, 'Nothing was discarded', result.refusal);
  refreshAfterEdit(editor, path === null ? [] : [path]);
  void loadDiff(editor);
  return result.ok;
}

export async function linkTo(editor: Editor, given: { baseUrl: string; slug?: string; repoUrl?: string; token?: string }): Promise<Refusal | null> {
  const result = await editor.call(DoneSchema, '/api/project/link', { body: given });
  editor.store.setState({ participants: { is: 'idle' } });
  await loadProject(editor);
  if (!result.ok) return result.refusal;
  toast(editor, { tone: 'good', title: 'Linked', words: 'Comments of the project are shown beside the page.' });
  return null;
}

export async function unlink(editor: Editor): Promise<void> {
  const result = await editor.call(DoneSchema, '/api/project/unlink', { body: {} });
  if (!result.ok) sayRefusal(editor, 'Not unlinked', result.refusal);
  const project = await editor.call(ProjectSchema, '/api/project');
  editor.store.setState({ comments: { is: 'idle' }, participants: { is: 'idle' }, ...(project.ok ? { project: { is: 'ready', value: project.value } } : {}) });
}

export async function saveSetting(editor: Editor, key: string, value: unknown): Promise<boolean> {
  const result = await editor.call(DoneSchema, '/api/settings', { method: 'PUT', body: { key, value } });
  if (!result.ok) sayRefusal(editor, `${key}: not saved`, result.refusal);
  await loadSettings(editor);
  return result.ok;
}
