import { Tooltip } from 'radix-ui';
import { TriangleAlert, X } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { isTyping, pressed } from '../actions/keys.ts';
import type { Pane } from '../api/page.ts';
import { showBefore } from '../model/before.ts';
import type { Model } from '../model/model.ts';
import { onPageMessage, start } from '../runtime/running.ts';
import { useDark, useEditor, useMedia, useModel } from '../react/use.ts';
import { Loading, Refused } from '@kit/State.tsx';
import { loadSession } from '../model/loading.ts';
import { messages } from '../messages.ts';
import { later } from '../components/later.tsx';
import { CodeView } from './code/CodeView.tsx';
import { Dialogs } from './dialogs/Dialogs.tsx';
import { ElementMenu } from './preview/ElementMenu.tsx';
import { LeftSide } from './structure/LeftSide.tsx';
import { Preview } from './preview/Preview.tsx';
import { RightSide } from './RightSide.tsx';
import { Toasts } from './Toasts.tsx';
import { TopBar } from './topbar/TopBar.tsx';

const Attempts = later(() => import('./attempts/Attempts.tsx'));
const CanvasView = later(() => import('./canvas/CanvasView.tsx'));

export function App() {
  const editor = useEditor();
  useEffect(() => start(editor), [editor]);
  useTheme();
  useKeys();
  usePageMessages();
  useUnsaved();
  return (
    <Tooltip.Provider delayDuration={350} skipDelayDuration={200}>
      <div className="app">
        <TopBar />
        <Main />
      </div>
      <Dialogs />
      <ElementMenu />
      <Toasts />
    </Tooltip.Provider>
  );
}

function Main() {
  const editor = useEditor();
  const narrow = useNarrow();
  const left = useModel((model) => model.left);
  const right = useModel((model) => model.right);
  const drawer = useModel((model) => model.drawer);
  const code = useModel((model) => model.code && model.session?.features.codeView === true);
  const canvas = useModel((model) => model.canvas && model.session?.features.canvas === true);
  const attempts = useModel((model) => model.attempts.length > 0);
  const refused = useModel((model) => (model.session === null ? model.sessionRefused : null));
  return (
    <main className="main">
      <Connection />
      {refused ? (
        <Refused title={messages.unreachable} refusal={refused} again={() => loadSession(editor)} />
      ) : (
        <Group className="panels" orientation="horizontal" id="sides">
          {left && !narrow.left && (
            <Panel id="left" defaultSize="250px" minSize="180px" maxSize="480px" groupResizeBehavior="preserve-pixel-size">
              <LeftSide />
            </Panel>
          )}
          {left && !narrow.left && <Separator id="left-edge" className="handle" aria-label={messages.structure} />}
          <Panel id="centre" minSize="280px">
            <Group orientation="vertical" id="centre-parts">
              <Panel id="preview" minSize="120px">
                <div className="layers">
                  {/* The page goes on behind the canvas, and what is selected stays selected. */}
                  <div className="layer" inert={canvas}>
                    <Preview />
                  </div>
                  {canvas && (
                    <Suspense fallback={<Loading what={messages.readingPlans} />}>
                      <CanvasView />
                    </Suspense>
                  )}
                  {attempts && (
                    <Suspense>
                      <Attempts />
                    </Suspense>
                  )}
                </div>
              </Panel>
              {code && <Separator id="code-edge" className="handle flat" aria-label={messages.code} />}
              {code && (
                <Panel id="code" defaultSize="40%" minSize="120px">
                  <CodeView />
                </Panel>
              )}
            </Group>
          </Panel>
          {right && !narrow.right && <Separator id="right-edge" className="handle" aria-label={messages.inspector} />}
          {right && !narrow.right && (
            <Panel id="right" defaultSize="312px" minSize="260px" maxSize="560px" groupResizeBehavior="preserve-pixel-size">
              <RightSide />
            </Panel>
          )}
        </Group>
      )}
      {drawer !== null && narrow[drawer] && <div className={`drawer ${drawer}`}>{drawer === 'left' ? <LeftSide /> : <RightSide />}</div>}
    </main>
  );
}

/** Which sides have no room of their own and lie over the preview when they are wanted. */
function useNarrow(): Model['narrow'] {
  const { store } = useEditor();
  const left = useMedia('(width < 1080px)');
  const right = useMedia('(width < 760px)');
  useEffect(() => store.setState({ narrow: { left, right }, drawer: null }), [store, left, right]);
  return useModel((model) => model.narrow);
}

function Connection() {
  const connection = useModel((model) => model.connection);
  const known = useModel((model) => model.session !== null);
  const warnings = useModel((model) => model.session?.warnings);
  const [read, setRead] = useState<string[]>([]);
  return (
    <>
      {connection.is === 'lost' && known && (
        <div className="banner" role="status">
          <span className="spinner" />
          {messages.lost(connection.seconds)}
        </div>
      )}
      {warnings?.filter(({ words }) => !read.includes(words)).map(({ code, words: text }) => (
        <div className="banner" role="status" key={code + text}>
          <TriangleAlert size={15} aria-hidden />
          <span style={{ flex: 1 }}>{text}</span>
          <button type="button" className="icon-button small" aria-label={messages.dismiss} onClick={() => setRead([...read, text])}>
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </>
  );
}

function useTheme(): void {
  const dark = useDark();
  useEffect(() => {
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  }, [dark]);
}

/** A key that is down for longer is held, in milliseconds. */
const HOLD = 300;

/** Shortcuts. A key that a part has used for itself is not a shortcut too. */
function useKeys(): void {
  const editor = useEditor();
  useEffect(() => {
    let held = 0;
    const down = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const command = event.ctrlKey || event.metaKey;
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') && event.key !== 'k') return;
      // What edits the selection must not happen while somebody edits a text; opening palette or settings is harmless, and a refused text is still in its field.
      if (isTyping(event.target) && !(command && (/^[k,]$/i.test(event.key) || (event.shiftKey && /^e$/i.test(event.key))))) return;
      // Buttons and links have these keys themselves.
      if (!command && (event.key === 'Enter' || event.key === ' ' || event.key.startsWith('Arrow')) && event.target !== document.body && !event.altKey && !event.shiftKey) return;
      // A key that is held would switch to and fro.
      if (event.repeat && editor.store.getState().showsBefore !== null) return event.preventDefault();
      const { showsBefore } = editor.store.getState();
      if (!pressed(editor, event)) return;
      event.preventDefault();
      if (showsBefore === null && editor.store.getState().showsBefore !== null) held = Date.now();
    };
    const up = (): void => {
      if (held > 0 && Date.now() - held > HOLD) showBefore(editor, null);
      held = 0;
    };
    addEventListener('keydown', down);
    addEventListener('keyup', up);
    return () => (removeEventListener('keydown', down), removeEventListener('keyup', up));
  }, [editor]);
}

function usePageMessages(): void {
  const editor = useEditor();
  useEffect(() => {
    const receive = (event: MessageEvent): void => {
      const message = editor.page.receive(event);
      if (message) onPageMessage(editor, message.type === 'editor:menu' ? { ...message, ...outside(message, message.pane) } : message, message.pane);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, [editor]);
}

/** Leaving would lose what is not saved: the browser asks. */
function useUnsaved(): void {
  const unsaved = useModel(({ drafts }) => Object.keys(drafts).length > 0);
  useEffect(() => {
    if (!unsaved) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [unsaved]);
}

/** A point of the page as a point of the interface. */
function outside({ x, y }: { x: number; y: number }, pane: Pane): { x: number; y: number } {
  const frame = document.querySelector<HTMLIFrameElement>(`iframe[data-pane=${pane}]`);
  if (!frame) return { x, y };
  const box = frame.getBoundingClientRect();
  const scale = frame.offsetWidth === 0 ? 1 : box.width / frame.offsetWidth;
  return { x: box.x + x * scale, y: box.y + y * scale };
}
