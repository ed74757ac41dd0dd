/** The thin binding: parts of the model for components, and the editor for what they do. */
import { createContext, use, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Action } from '../actions/action.ts';
import type { Editor } from '../model/editor.ts';
import type { Model } from '../model/model.ts';

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (!editor) throw new Error('no editor around this component');
  return editor;
}

/** `pick` must give the same value while nothing changed: parts of the model, numbers, texts. */
export function useModel<T>(pick: (model: Model) => T): T {
  return useStore(useEditor().store, pick);
}

/** An action as a component shows it. */
export interface Offered {
  action: Action;
  /** Why it cannot be done now; null when it can. */
  why: string | null;
  pressed: boolean | undefined;
  hidden: boolean;
  perform(): void;
}

export function useAction(action: Action): Offered {
  const editor = useEditor();
  const why = useModel((model) => {
    const available = action.available(model);
    return available === true ? null : available;
  });
  const pressed = useModel((model) => action.pressed?.(model));
  const hidden = useModel((model) => action.hidden?.(model) ?? false);
  return { action, why, pressed, hidden, perform: () => (why === null ? void action.perform(editor) : undefined) };
}

/** Whether the interface is dark, by choice or by the system. */
export function useDark(): boolean {
  const theme = useModel((model) => model.theme);
  const system = useMedia('(prefers-color-scheme: dark)');
  return theme === 'system' ? system : theme === 'dark';
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const change = (): void => setMatches(list.matches);
    change();
    list.addEventListener('change', change);
    return () => list.removeEventListener('change', change);
  }, [query]);
  return matches;
}
