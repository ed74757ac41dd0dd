import { Command, defaultFilter } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useState, type ReactNode } from 'react';
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

interface Entry {
  key: string;
  group: string;
  /** What a search finds it by. */
  value: string;
  disabled?: boolean;
  perform: () => unknown;
  content: ReactNode;
}

/** Everything that can be done, by name; files and the page's elements too. What a search names best comes first. */
export function Palette({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const model = useModel((model) => model);
  const [search, setSearch] = useState('');
  const files = model.session?.features.codeView ? (known(model.files) ?? []) : [];
  const elements = withText(model.structure ?? []).slice(0, MOST_ELEMENTS);
  const entries: Entry[] = [
    ...ACTIONS.filter((each) => each !== palette && !each.hidden?.(model)).map((each) => {
      const available = each.available(model);
      const Icon = iconOf(each.id);
      const content = (
        <>
          <Icon size={15} aria-hidden />
          <span>{each.label}</span>
          {available === true ? each.keys[0] !== undefined && <kbd className="kbd keys">{readableKeys(each.keys[0])}</kbd> : <span className="why">{available}</span>}
        </>
      );
      return { key: each.id, group: each.group, value: `${each.label} ${each.id}`, disabled: available !== true, perform: () => each.perform(editor), content };
    }),
    ...elements.map(({ id, src, tag, text }) => {
      const content = (
        <>
          <code>{tag}</code>
          <span>{text}</span>
        </>
      );
      return { key: `${id}`, group: messages.pageTree, value: `${text} ${tag} ${id}`, perform: () => selectSource(editor, src, { id }), content };
    }),
    ...files.map(({ path }) => ({
      key: path,
      group: messages.filesTab,
      value: path,
      perform: () => (editor.store.setState({ code: true }), openFile(editor, path, null)),
      content: path,
    })),
  ];
  const listed = found(entries, search);
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
          <Command label={messages.paletteTitle} loop shouldFilter={false}>
            <Command.Input placeholder={messages.paletteFind} value={search} onValueChange={setSearch} />
            <Command.List label={messages.paletteTitle}>
              <Command.Empty>{messages.paletteNothing}</Command.Empty>
              {[...new Set(listed.map(({ group }) => group))].map((group) => (
                <Command.Group key={group} heading={group}>
                  {listed.filter((each) => each.group === group).map(({ key, value, disabled, perform, content }) => (
                    <Command.Item key={key} value={value} disabled={disabled ?? false} onSelect={() => run(perform)}>
                      {content}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The entries that a search finds, the best first; groups stand in the order of their best. */
function found(entries: readonly Entry[], search: string): readonly Entry[] {
  if (search.trim() === '') return entries;
  const scored = entries.map((entry) => ({ entry, score: defaultFilter(entry.value, search, []) }));
  return scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score).map(({ entry }) => entry);
}

function withText(nodes: PageNode[]): PageNode[] {
  return nodes.flatMap((node) => (node.text === '' ? withText(node.children) : [node, ...withText(node.children)]));
}
