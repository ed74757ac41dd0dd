import { action, type Action } from './action.ts';
import { needsPage } from './needs.ts';

function go(to: string, label: string, keys: string[]): Action {
  return action({
    id: `page-${to}`,
    label,
    group: 'Page',
    keys,
    available: needsPage,
    perform: ({ page }) => page.send({ type: 'editor:go', to }),
  });
}

export const pageBack = go('back', 'Back', ['Mod+[']);
export const pageForward = go('forward', 'Forward', ['Mod+]']);
export const pageReload = go('reload', 'Reload the prototype', ['Mod+Shift+R']);
