import { X } from 'lucide-react';
import { focusPage } from '../../actions/focus_page.ts';
import { readableKeys } from '../../actions/keys.ts';
import { showBeside } from '../../model/panes.ts';
import { useAction, useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { AddressBar } from './AddressBar.tsx';
import { Cover } from './Cover.tsx';
import { Frame } from './Frame.tsx';
import { StatusBar } from './StatusBar.tsx';
import { WidthField, WidthPicker } from './widths.tsx';

export function Preview() {
  const editor = useEditor();
  const comment = useModel((model) => model.mode === 'comment');
  const twice = useModel((model) => model.sideWidth !== null);
  // The wider page gets more room, and the narrow one is still readable.
  const width = useModel((model) => model.width ?? model.sideWidth ?? 1);
  const side = useModel((model) => model.sideWidth ?? 1);
  const before = useModel((model) => model.showsBefore);
  const into = useAction(focusPage);
  return (
    <section className="stage" aria-label={messages.preview}>
      <AddressBar />
      <button type="button" className="button skip" onClick={into.perform}>
        {messages.intoPage(readableKeys(focusPage.keys[0] ?? ''))}
      </button>
      <div className={`canvas${comment ? ' commenting' : ''}`}>
        <div className="pane" style={{ flexGrow: twice ? Math.sqrt(width / side) : 1 }}>
          {twice && (
            <div className="pane-bar">
              <WidthPicker pane="main" />
              <WidthField pane="main" />
            </div>
          )}
          <Frame pane="main" />
        </div>
        {twice && (
          <div className="pane" role="group" aria-label={messages.sidePane}>
            <div className="pane-bar">
              <WidthPicker pane="side" />
              <WidthField pane="side" />
              <span className="gap" />
              <button type="button" className="icon-button small" aria-label={messages.closeSide} title={messages.closeSide} onClick={() => showBeside(editor, null)}>
                <X size={14} aria-hidden />
              </button>
            </div>
            <Frame pane="side" />
          </div>
        )}
        {before !== null && <p className="before-sign">{messages.showsBefore(before)}</p>}
        <Cover />
      </div>
      <StatusBar />
    </section>
  );
}
