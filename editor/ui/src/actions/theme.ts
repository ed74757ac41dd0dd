import { action } from './action.ts';

const ORDER = ['system', 'light', 'dark'] as const;

export const theme = action({
  id: 'theme',
  label: 'Switch between light, dark and the system’s colours',
  group: 'View',
  perform: ({ store }) => store.setState(({ theme }) => ({ theme: ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system' })),
});
