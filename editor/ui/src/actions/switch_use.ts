import { focusUse, inspected, likelyUse } from '../model/selecting.ts';
import { action } from './action.ts';
import { needsSelection } from './needs.ts';

export const switchUse = action({
  id: 'switch-use',
  label: 'Switch between this use and the component',
  group: 'Select',
  keys: ['Mod+Enter'],
  available: (model) => {
    if (model.selection?.use != null) return true;
    const selected = needsSelection(model);
    if (selected !== true) return selected;
    return (inspected(model)?.usages.length ?? 0) > 0 || 'No other place uses this component.';
  },
  perform: (editor) => {
    const model = editor.store.getState();
    if (model.selection?.use != null) return focusUse(editor, null);
    focusUse(editor, (model.selection ? likelyUse(model.selection)?.src : null) ?? null);
  },
});
