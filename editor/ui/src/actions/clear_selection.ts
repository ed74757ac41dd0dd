import { clearSelection as clear } from '../model/selecting.ts';
import { action } from './action.ts';

/** Escape: first what was begun, then the mode, then the selection. */
export const clearSelection = action({
  id: 'clear-selection',
  label: 'Select nothing',
  group: 'Select',
  keys: ['Escape'],
  perform: (editor) => {
    const { store } = editor;
    const { placing, drawer, mode } = store.getState();
    if (placing) store.setState({ placing: null });
    else if (drawer) store.setState({ drawer: null });
    else if (mode !== 'select') store.setState({ mode: 'select' });
    else clear(editor);
  },
});
