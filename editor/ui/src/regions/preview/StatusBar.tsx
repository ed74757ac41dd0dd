import { ChevronRight, CircleAlert } from 'lucide-react';
import { Popover } from 'radix-ui';
import { selectSource } from '../../model/selecting.ts';
import { shortPlace } from '../../model/place.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

const TONES = { starting: 'warn', running: 'good', attached: 'good', failed: 'bad' } as const;

/** The way from the page to the selected element, and how the dev server and the page are. */
export function StatusBar() {
  const host = useModel((model) => model.session?.host);
  const busy = useModel((model) => model.busy > 0);
  const errors = useModel((model) => model.page.errors);
  const unstamped = useModel((model) => model.session?.unstamped);
  return (
    <footer className="statusbar">
      <Crumbs />
      {busy && <span className="spinner" aria-hidden />}
      {errors.length > 0 && <Listed icon title={messages.pageErrors(errors.length)} lines={errors} />}
      {unstamped !== undefined && unstamped.length > 0 && (
        <Listed title={messages.unstamped(unstamped.length)} help={messages.unstampedHelp} lines={unstamped.map(({ path, why }) => `${path}: ${why}`)} />
      )}
      {host && (
        <span className="status-item">
          <span className={`dot ${TONES[host.status]}`} />
          {host.kind} {host.status}
        </span>
      )}
    </footer>
  );
}

function Crumbs() {
  const editor = useEditor();
  const selection = useModel((model) => model.selection);
  const target = selection?.target;
  if (!target) return <div className="crumbs" />;
  const steps = [...target.ancestors].reverse().slice(-7);
  return (
    <nav className="crumbs" aria-label="Elements around the selection">
      <ol style={{ display: 'flex' }}>
        {steps.map(({ id, src, tag }) => (
          <li key={id}>
            <button type="button" title={shortPlace(src)} onClick={() => selectSource(editor, src, { id })}>
              {tag}
            </button>
            <ChevronRight size={11} aria-hidden />
          </li>
        ))}
        <li>
          <button type="button" aria-current="true">
            {target.tag}
          </button>
        </li>
      </ol>
    </nav>
  );
}

function Listed({ title, help, lines, icon = false }: { title: string; help?: string; lines: readonly string[]; icon?: boolean }) {
  return (
    <Popover.Root>
      <Popover.Trigger className={`badge ${icon ? 'bad' : 'warn'}`}>
        {icon && <CircleAlert size={12} aria-hidden />}
        {title}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover" side="top" sideOffset={6} aria-label={title}>
          {help !== undefined && <p className="help">{help}</p>}
          <ul style={{ maxHeight: 260, overflow: 'auto', overflowWrap: 'anywhere' }}>
            {lines.map((line, index) => (
              <li key={index} className="place" style={{ whiteSpace: 'pre-wrap' }}>
                {line}
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
