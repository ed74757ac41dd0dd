import { DropdownMenu } from 'radix-ui';
import { copyPlace } from '../../actions/copy_place.ts';
import { remove } from '../../actions/delete.ts';
import { detach } from '../../actions/detach.ts';
import { duplicate } from '../../actions/duplicate.ts';
import { editText } from '../../actions/edit_text.ts';
import { insert } from '../../actions/insert.ts';
import { moveDown, moveUp } from '../../actions/move.ts';
import { openInVscode } from '../../actions/open_in_vscode.ts';
import { copyStyles, pasteStyles } from '../../actions/styles.ts';
import { swap } from '../../actions/swap.ts';
import { switchUse } from '../../actions/switch_use.ts';
import { selectParent } from '../../actions/walk.ts';
import { toggleCode } from '../../actions/panels.ts';
import { MenuItem } from '../../components/MenuItem.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

const GROUPS = [
  [editText, insert, duplicate, remove],
  [copyStyles, pasteStyles],
  [moveUp, moveDown, selectParent],
  [switchUse, swap, detach],
  [copyPlace, toggleCode, openInVscode],
];

/** The context menu of the selected element: opened in the page (whose coordinates it gets) and in the trees. */
export function ElementMenu() {
  const { store } = useEditor();
  const menu = useModel((model) => model.menu);
  const tag = useModel((model) => model.selection?.target?.tag ?? '');
  if (menu === null) return null;
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(open) => (open ? undefined : store.setState({ menu: null }))}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden style={{ position: 'fixed', left: menu.x, top: menu.y, width: 1, height: 1 }} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" collisionPadding={8} aria-label={messages.menuOf(tag)}>
          {tag !== '' && <DropdownMenu.Label className="menu-label">{messages.menuOf(tag)}</DropdownMenu.Label>}
          {GROUPS.map((group, index) => (
            <div key={index} role="group">
              {index > 0 && <DropdownMenu.Separator className="menu-line" />}
              {group.map((action) => (
                <MenuItem key={action.id} action={action} />
              ))}
            </div>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
