import { Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import { parseDiff, type DiffLine } from '../model/diff.ts';
import type { FileDiff } from '../api/edit.ts';
import { messages } from '../messages.ts';

/** The changes of one file, with the characters that differ. */
export function FileChanges({ file, onDiscard }: { file: FileDiff; onDiscard?: () => void }) {
  const diff = useMemo(() => parseDiff(file.diff ?? ''), [file.diff]);
  return (
    <section className="diff" aria-label={file.path}>
      <div className="diff-head">
        <span className="path" title={file.path}>
          <bdi>{file.path}</bdi>
        </span>
        <span className="plus">+{diff.added}</span>
        <span className="minus">−{diff.removed}</span>
        {onDiscard && (
          <button type="button" className="icon-button small" aria-label={messages.discardFile(file.path)} title={messages.discardFile(file.path)} onClick={onDiscard}>
            <Undo2 size={13} aria-hidden />
          </button>
        )}
      </div>
      {diff.binary ? (
        <p className="help" style={{ padding: 8 }}>{messages.binary}</p>
      ) : (
        <div className="diff-lines" tabIndex={0} role="region" aria-label={`${messages.changesTab}: ${file.path}`}>
          <table>
            <tbody>
              {diff.lines.map((line, index) => (
                <tr key={index} className={line.kind}>
                  <td className="n">{line.after ?? line.before}</td>
                  <td>
                    <span className="hidden">{line.kind === 'added' ? 'added: ' : line.kind === 'removed' ? 'removed: ' : ''}</span>
                    <Marked line={line} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Marked({ line: { text, changed } }: { line: DiffLine }) {
  if (!changed || changed.from === changed.to) return text;
  return (
    <>
      {text.slice(0, changed.from)}
      <mark>{text.slice(changed.from, changed.to)}</mark>
      {text.slice(changed.to)}
    </>
  );
}
