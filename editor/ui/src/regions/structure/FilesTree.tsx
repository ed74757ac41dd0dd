import { useEffect, useMemo, useState } from 'react';
import { moveTo } from '../../model/moving.ts';
import { openFile } from '../../model/files.ts';
import { loadFiles, loadOutline } from '../../model/loading.ts';
import { fileOf } from '../../model/place.ts';
import { selectSource } from '../../model/selecting.ts';
import { ALL_OPEN, fileRows, foundInFiles, type Row } from '../../model/structure.ts';
import { State } from '@kit/State.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { SourceFile } from '../../api/inspection.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';
import { FindField, Tree } from './Tree.tsx';

/** The source files with what is written in them, on the page or not. */
export function FilesTree() {
  const editor = useEditor();
  const files = useModel((model) => model.files);
  useEffect(() => {
    if (files.is === 'idle') void loadFiles(editor);
  }, [editor, files]);
  return (
    <Remotely of={files} loading={messages.readingFiles} failed={messages.failedFiles} again={() => loadFiles(editor)}>
      {(list) => <Listed files={list} />}
    </Remotely>
  );
}

/** A search reads at most so many files. */
const MAX_READ = 200;

function Listed({ files }: { files: SourceFile[] }) {
  const editor = useEditor();
  const outlines = useModel((model) => model.outlines);
  const expanded = useModel((model) => model.expanded);
  const src = useModel((model) => (model.selection ? (model.selection.use ?? model.selection.subject.src) : null));
  const [find, setFind] = useState('');
  const rows = useMemo(() => {
    const nodes = Object.fromEntries(Object.entries(outlines).map(([path, outline]) => [path, known(outline)?.nodes]));
    return find === '' ? fileRows(files, nodes, expanded) : foundInFiles(fileRows(files, nodes, ALL_OPEN), find);
  }, [files, outlines, expanded, find]);
  // What is looked for may stand in a file nobody has opened.
  useEffect(() => {
    if (find.length < 2) return;
    const { outlines } = editor.store.getState();
    for (const { path } of files.filter(({ path }) => !outlines[path]).slice(0, MAX_READ)) void loadOutline(editor, path);
  }, [editor, files, find]);
  if (files.length === 0) return <State title={messages.noFiles} />;

  const fold = (row: Row, open: boolean): void => {
    editor.store.setState(({ expanded }) => ({ expanded: { ...expanded, [row.key]: open } }));
    if (open && row.kind === 'file' && !editor.store.getState().outlines[row.src]) void loadOutline(editor, row.src);
  };
  const pick = (row: Row): void => {
    if (row.kind === 'file') {
      fold(row, !row.expanded);
      if (editor.store.getState().code) void openFile(editor, row.src, null);
    } else if (row.src.includes(':')) selectSource(editor, row.src);
  };
  const current = rows.find((row) => row.src === src) ?? rows.find((row) => src !== null && row.kind === 'file' && row.src === fileOf(src));
  return (
    <>
      <FindField value={find} onChange={setFind} />
      <Tree
        label={messages.filesTree}
        rows={rows}
        current={current?.key ?? null}
        onPick={pick}
        onFold={fold}
        onHover={(row) => editor.page.send(row === null || row.kind === 'file' ? { type: 'editor:hover' } : { type: 'editor:hover', src: row.src, index: 0 })}
        onMenu={(row, at) => (row.kind === 'file' ? undefined : (pick(row), editor.store.setState({ menu: at })))}
        onDrop={({ from, to, place }) => void moveTo(editor, { src: from.src, to: to.src, tag: to.name, place })}
      />
    </>
  );
}
