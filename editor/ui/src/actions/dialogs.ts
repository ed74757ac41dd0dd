import type { Dialog } from '../model/model.ts';
import { loadBranches, loadDiff, loadProject, loadPublishing, loadSettings } from '../model/loading.ts';
import { action, type Action } from './action.ts';
import { needsChanges } from './needs.ts';

type Simple = Exclude<Dialog, { src: string } | { path: string | null } | { editId: string }>['is'];
type Given = Pick<Action, 'id' | 'label' | 'group'> & Partial<Pick<Action, 'keys' | 'available'>>;

function opens(is: Simple, given: Given, load?: (editor: Parameters<Action['perform']>[0]) => unknown): Action {
  return action({
    ...given,
    perform: (editor) => {
      editor.store.setState({ dialog: { is } });
      void load?.(editor);
    },
  });
}

export const palette = opens('palette', { id: 'palette', label: 'Command palette', group: 'Help', keys: ['Mod+K'] });
export const shortcuts = opens('shortcuts', { id: 'shortcuts', label: 'Keyboard shortcuts', group: 'Help', keys: ['?'] });
export const settings = opens('settings', { id: 'settings', label: 'Settings', group: 'Project', keys: ['Mod+,'] }, loadSettings);
export const linkProject = opens('link', { id: 'link-project', label: 'Link a project…', group: 'Project' }, loadProject);
export const newBranch = opens('branch', { id: 'new-branch', label: 'Switch or make a branch…', group: 'Git' }, loadBranches);
export const commit = opens('commit', { id: 'commit', label: 'Commit…', group: 'Git', keys: ['Mod+Shift+Enter'], available: needsChanges }, loadDiff);
export const publish = opens('publish', { id: 'publish', label: 'Publish…', group: 'Git' }, loadPublishing);

export const discardAll = action({
  id: 'discard-all',
  label: 'Discard all changes…',
  group: 'Git',
  available: needsChanges,
  perform: ({ store }) => store.setState({ dialog: { is: 'discard', path: null } }),
});
