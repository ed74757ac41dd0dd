/** The chosen theme, kept in this browser. `early_theme.js` puts it into the page before anything is painted. */
import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'galley-theme';
const listeners = new Set<() => void>();

export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // A browser that forbids storage forgets the choice with the page.
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => (listeners.add(listener), () => listeners.delete(listener)), chosenTheme);
}

/** What is shown now, for frames that are told. */
export function useShownTheme(): 'light' | 'dark' {
  const theme = useTheme();
  const dark = useSyncExternalStore(onSystemChange, () => SYSTEM.matches);
  return theme === 'system' ? (dark ? 'dark' : 'light') : theme;
}

const SYSTEM = matchMedia('(prefers-color-scheme: dark)');

function onSystemChange(listener: () => void): () => void {
  SYSTEM.addEventListener('change', listener);
  return () => SYSTEM.removeEventListener('change', listener);
}
