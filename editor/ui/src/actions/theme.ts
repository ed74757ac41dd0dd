import { toast } from '../model/say.ts';
import { action } from './action.ts';

const NAMES = { system: 'Colours as the system has them', light: 'Light colours', dark: 'Dark colours' };
const ORDER = ['system', 'light', 'dark'] as const;

export const theme = action({
  id: 'theme',
  label: 'Switch between light, dark and the system’s colours',
  group: 'View',
  perform: (editor) => {
    const { theme } = editor.store.getState();
    const next = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system';
    editor.store.setState({ theme: next });
    toast(editor, { title: NAMES[next] });
  },
});
