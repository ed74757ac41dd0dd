import { action } from './action.ts';
import { needsPage } from './needs.ts';

/** Tab passes by the prototype; this key goes into it, and out of it again. */
export const focusPage = action({
  id: 'focus-page',
  label: 'Go into the prototype, or out of it',
  group: 'Page',
  keys: ['Mod+Shift+F'],
  available: needsPage,
  perform: ({ world, store }) => world.focusPage(store.getState().pane),
});
