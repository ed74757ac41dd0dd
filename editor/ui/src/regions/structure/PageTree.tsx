import { useEffect, useMemo, useState } from 'react';
import { moveTo } from '../../model/moving.ts';
import { focusUse, selectSource } from '../../model/selecting.ts';
import { toggleAlso } from '../../model/several.ts';
import { ALL_OPEN, aroundOf, found, keysAbove, pageRows, type Row } from '../../model/structure.ts';
import { Loading, State } from '@kit/State.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { FindField, Tree, type Drop } from './Tree.tsx';

/** What the page shows, as elements grouped by component. Goes along with the selection in both directions. */
export function PageTree() {
  const editor = useEditor();
  const structure = useModel((model) => model.structure);
  const expanded = useModel((model) => model.expanded);
  const selected = useModel((model) => model.selection?.target?.id ?? null);
  const src = useModel((model) => model.selection?.subject.src ?? null);
  const useSelected = useModel((model) => model.selection !== null && (model.selection.use !== null || model.selection.wantsUse));
  const also = useModel((model) => model.alsoSelected);
  const failed = useModel((model) => model.session?.host.status === 'failed');
  const [find, setFind] = useState('');
  const rows = useMemo(() => {
    const all = pageRows(structure ?? [], find === '' ? expanded : ALL_OPEN);
    return find === '' ? all : all.filter((row) => found(row, find));
  }, [structure, expanded, find]);

  useEffect(() => {
    if (selected === null) return;
    const { structure, expanded } = editor.store.getState();
    const above = keysAbove(structure ?? [], selected);
    const opened = Object.fromEntries(above.map((key) => [key, true]));
    if (above.some((key) => expanded[key] !== true)) editor.store.setState({ expanded: { ...expanded, ...opened } });
  }, [editor, selected]);

  if (failed) return <State title={messages.noPage}>{messages.noPageHelp}</State>;
  if (structure === null) return <Loading what={messages.readingPage} />;
  if (structure.length === 0) return <State title={messages.emptyPage}>{messages.emptyPageHelp}</State>;
  const chosen = rows.filter((row) => (selected === null ? row.src === src : row.id === selected));
  const current = (useSelected ? chosen.find((row) => row.kind === 'component') : undefined) ?? chosen.find((row) => row.kind === 'element');
  const pick = (row: Row): void => {
    const use = row.kind === 'component';
    selectSource(editor, row.src, { index: row.index, use, ...(row.id === null ? {} : { id: row.id }) });
    if (!use) focusUse(editor, null);
  };
  const drop = ({ from, to, place }: Drop): void => {
    const node = structure && aroundOf(structure, ({ id }) => id === to.id)?.node;
    if (node) void moveTo(editor, { src: from.src, to: to.src, tag: node.tag, place });
  };
  return (
    <>
      <FindField value={find} onChange={setFind} />
      <Tree
        label={messages.pageTree}
        rows={rows}
        current={current?.key ?? null}
        onPick={pick}
        also={(row) => row.kind === 'element' && also.some((each) => each.src === row.src && each.index === row.index)}
        onAlso={(row) => (row.kind === 'element' ? toggleAlso(editor, { src: row.src, index: row.index, tag: row.name }) : undefined)}
        onFold={(row, open) => editor.store.setState(({ expanded }) => ({ expanded: { ...expanded, [row.key]: open } }))}
        onHover={(row) => editor.page.send(row?.id == null ? { type: 'editor:hover' } : { type: 'editor:hover', id: row.id, src: row.src, index: row.index })}
        onMenu={(row, at) => (pick(row), editor.store.setState({ menu: at }))}
        onDrop={drop}
      />
    </>
  );
}
