import { subjectOf } from '../model/selecting.ts';
import { action } from './action.ts';
import { needs } from './needs.ts';

export const swap = action({
  id: 'swap',
  label: 'Swap component…',
  group: 'Edit',
  available: needs('swap'),
  hidden: ({ session }) => session?.features.swap !== true,
  perform: ({ store }) => {
    const { selection } = store.getState();
    if (selection) store.setState({ dialog: { is: 'swap', src: subjectOf(selection).src } });
  },
});
