import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createEditor } from './model/editor.ts';
import { EditorContext } from './react/use.ts';
import { App } from './regions/App.tsx';
import './style/index.css';

const editor = createEditor({
  send: (input, init) => fetch(input, init),
  storage: localStorageOrNone(),
  // An application's address, as vscode:, replaces nothing; a page opens beside this one.
  open: (address) => (address.startsWith('http') ? void window.open(address, '_blank', 'noopener') : location.assign(address)),
  copy: (text) => navigator.clipboard.writeText(text).catch(() => undefined),
  focusPage: (pane) => {
    const frame = document.querySelector<HTMLIFrameElement>(`iframe[data-pane=${pane}]`);
    if (document.activeElement === frame) document.querySelector<HTMLElement>('.skip')?.focus();
    else frame?.focus();
  },
  // Browsers without it are older than the ones the Editor is made for.
  isTouched: () => (navigator.userActivation as UserActivation | undefined)?.isActive ?? true,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
});

const root = document.getElementById('editor');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <EditorContext value={editor}>
        <App />
      </EditorContext>
    </StrictMode>,
  );
}

function localStorageOrNone(): Storage | null {
  try {
    return localStorage;
  } catch {
    // Browsers that forbid storage throw on the mere mention.
    return null;
  }
}
