import { longPlace } from '../model/place.ts';
import { toast } from '../model/say.ts';
import { subjectOf } from '../model/selecting.ts';
import { action } from './action.ts';
import { needsSelection } from './needs.ts';

export const copyPlace = action({
  id: 'copy-place',
  label: 'Copy file and line',
  group: 'Select',
  keys: ['Mod+Shift+C'],
  available: needsSelection,
  perform: async (editor) => {
    const { selection } = editor.store.getState();
    if (!selection) return;
    const place = longPlace(subjectOf(selection).src);
    await editor.world.copy(place);
    toast(editor, { title: `Copied ${place}` });
  },
});
