import { subjectOf } from '../model/selecting.ts';
import { action } from './action.ts';
import { needs } from './needs.ts';

export const insert = action({
  id: 'insert',
  label: 'Insert…',
  group: 'Edit',
  keys: ['I'],
  available: needs('insert'),
  perform: ({ store }) => {
    const { selection } = store.getState();
    if (selection) store.setState({ dialog: { is: 'insert', src: subjectOf(selection).src } });
  },
});
