import { Tabs } from 'radix-ui';
import { loadFiles } from '../../model/loading.ts';
import type { LeftTab } from '../../model/model.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { FilesTree } from './FilesTree.tsx';
import { PageTree } from './PageTree.tsx';

export function LeftSide() {
  const editor = useEditor();
  const tab = useModel((model) => model.leftTab);
  const change = (value: string): void => {
    editor.store.setState({ leftTab: value as LeftTab });
    if (value === 'files') void loadFiles(editor);
  };
  return (
    <Tabs.Root className="side" value={tab} onValueChange={change}>
      <Tabs.List className="tabs" aria-label={messages.structure}>
        <Tabs.Trigger className="tab" value="page">{messages.pageTab}</Tabs.Trigger>
        <Tabs.Trigger className="tab" value="files">{messages.filesTab}</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content className="side" style={{ flex: 1 }} value="page" tabIndex={-1}><PageTree /></Tabs.Content>
      <Tabs.Content className="side" style={{ flex: 1 }} value="files" tabIndex={-1}><FilesTree /></Tabs.Content>
    </Tabs.Root>
  );
}
