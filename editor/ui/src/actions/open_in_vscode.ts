import { vscodeAddress } from '../model/place.ts';
import { subjectOf } from '../model/selecting.ts';
import { action } from './action.ts';
import { needsSelection } from './needs.ts';

export const openInVscode = action({
  id: 'open-in-vscode',
  label: 'Open in VS Code',
  group: 'Select',
  available: needsSelection,
  hidden: ({ session }) => session?.features.vscodeLink !== true,
  perform: ({ store, world }) => {
    const { selection, session } = store.getState();
    if (selection && session) world.open(vscodeAddress(session.root, subjectOf(selection).src));
  },
});
