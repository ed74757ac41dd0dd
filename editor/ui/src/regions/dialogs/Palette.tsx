import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { ACTIONS } from '../../actions/index.ts';
import { readableKeys } from '../../actions/keys.ts';
import { iconOf } from '../../components/icons.ts';
import { openFile } from '../../model/files.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';
import { palette } from '../../actions/dialogs.ts';
import { selectSource } from '../../model/selecting.ts';
import type { PageNode } from '../../api/page.ts';

const MOST_ELEMENTS = 200;

/** Everything that can be done, by name; files and the page's elements too. */
export function Palette({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const model = useModel((model) => model);
  const actions = ACTIONS.filter((each) => each !== palette && !each.hidden?.(model));
  const groups = [...new Set(actions.map(({ group }) => group))];
  const files = model.session?.features.codeView ? (known(model.files) ?? []) : [];
  const elements = withText(model.structure ?? []).slice(0, MOST_ELEMENTS);
  // Focus goes back first, so that what the action opens can take it.
  const run = (what: () => unknown): void => {
    onClose();
    queueMicrotask(() => void what());
  };
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="palette" aria-describedby={undefined}>
          <Dialog.Title className="hidden">{messages.paletteTitle}</Dialog.Title>
          <Command label={messages.paletteTitle} loop>
            <Command.Input placeholder={messages.paletteFind} />
            <Command.List label={messages.paletteTitle}>
              <Command.Empty>{messages.paletteNothing}</Command.Empty>
              {groups.map((group) => (
                <Command.Group key={group} heading={group}>
                  {actions.filter((each) => each.group === group).map((each) => {
                    const available = each.available(model);
                    const Icon = iconOf(each.id);
                    return (
                      <Command.Item key={each.id} value={`${each.label} ${each.id}`} disabled={available !== true} onSelect={() => run(() => each.perform(editor))}>
                        <Icon size={15} aria-hidden />
                        <span>{each.label}</span>
                        {available === true ? each.keys[0] !== undefined && <kbd className="kbd keys">{readableKeys(each.keys[0])}</kbd> : <span className="why">{available}</span>}
                      </Command.Item>
                    );
                  })}
                </Command.Group>
              ))}
              {elements.length > 0 && (
                <Command.Group heading={messages.pageTree}>
                  {elements.map(({ id, src, tag, text }) => (
                    <Command.Item key={id} value={`${text} ${tag} ${id}`} onSelect={() => run(() => selectSource(editor, src, { id }))}>
                      <code>{tag}</code>
                      <span>{text}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              {files.length > 0 && (
                <Command.Group heading={messages.filesTab}>
                  {files.map(({ path }) => (
                    <Command.Item key={path} value={path} onSelect={() => run(() => (editor.store.setState({ code: true }), openFile(editor, path, null)))}>
                      {path}
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function withText(nodes: PageNode[]): PageNode[] {
  return nodes.flatMap((node) => (node.text === '' ? withText(node.children) : [node, ...withText(node.children)]));
}
