/** One action: everything that a button, a menu, the palette and a key need to offer it. */
import type { Editor } from '../model/editor.ts';
import type { Model } from '../model/model.ts';

export type Group = 'Edit' | 'Select' | 'Mode' | 'View' | 'Page' | 'Git' | 'Project' | 'Help';

export interface Action {
  id: string;
  label: string;
  group: Group;
  /** As `Mod+Shift+Z`; `Mod` is Command on a Mac, Control elsewhere. The first is shown. */
  keys: readonly string[];
  /** Whether it can be done now, or in words why not. */
  available(model: Model): true | string;
  perform(editor: Editor): void | Promise<unknown>;
  /** Left out of the palette and the cheat sheet, as while its switch is off. */
  hidden?(model: Model): boolean;
  /** Whether it is on, for actions that switch something. */
  pressed?(model: Model): boolean;
}

type Given = Partial<Action> & Pick<Action, 'id' | 'label' | 'group' | 'perform'>;

export function action(given: Given): Action {
  return { keys: [], available: () => true, ...given };
}
