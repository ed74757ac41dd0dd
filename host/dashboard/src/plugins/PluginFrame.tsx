/**
 * A plugin's part of a page: a frame of an opaque origin, and a port to it. The port is handed over once, when the first document
 * of the frame has loaded: a document that comes after it gets none.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '../api/ui.ts';
import { isInside } from '../shell/PageLink.tsx';
import { say } from '../shell/toasts.tsx';
import { useShownTheme } from '../shell/theme.ts';
import { partWords } from '../words.ts';
import type { Part } from './parts.ts';
import './plugins.css';
import { serve, type Context, type Opened } from './port.ts';
import { tokens } from './tokens.ts';

/** How long a part may be silent after its document has loaded, in milliseconds. */
const READY_TIMEOUT = 5_000;
const MAX_HEIGHT = 20_000;

interface Given {
  part: Part;
  user: User | null;
  project?: Context['project'];
  deployment?: Context['deployment'];
  /** The frame fills its place, instead of being as high as its content. */
  fill?: boolean;
  /** Goes to an address of this server; without it a full load does. */
  go?: (to: string) => void;
}

export function PluginFrame({ part, user, project = null, deployment = null, fill = false, go = assign }: Given) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'silent'>('loading');
  const [height, setHeight] = useState(0);
  const theme = useShownTheme();
  const context = useMemo<Context>(
    () => ({ slot: part.slot, at: part.at, project, deployment, me: user && { id: user.id, displayName: user.displayName }, theme, tokens: tokens(), locale: navigator.language }),
    [part.slot, part.at, project?.id, project?.slug, project?.name, deployment?.id, deployment?.number, user?.id, user?.displayName, theme],
  );
  // A part is parsed anew with each drawing of the page: only another document begins a new frame.
  const now = useRef({ go, part });
  now.current = { go, part };

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let port: Opened | null = null;
    let waiting = 0;
    const load = (): void => {
      const channel = new MessageChannel();
      port = serve(channel.port1, {
        requests: now.current.part.requests,
        project: project?.id ?? null,
        resize: (wanted) => setHeight(Math.min(wanted, MAX_HEIGHT)),
        navigate: (to) => now.current.go(to),
        toast: (text) => say(partWords.says(now.current.part.title, text)),
        ready: () => {
          clearTimeout(waiting);
          setState('ready');
          setOpened(port);
        },
      });
      element.contentWindow?.postMessage({ galley: 'port', version: 1 }, '*', [channel.port2]);
      waiting = window.setTimeout(() => setState((known) => (known === 'loading' ? 'silent' : known)), READY_TIMEOUT);
    };
    element.addEventListener('load', load, { once: true });
    element.src = part.entry;
    return () => {
      clearTimeout(waiting);
      element.removeEventListener('load', load);
      port?.close();
      setOpened(null);
      setState('loading');
    };
  }, [part.entry, project?.id]);

  useEffect(() => opened?.tell(context), [opened, context]);

  return (
    <div className="plugin-part" data-fill={fill || undefined}>
      {state === 'silent' && (
        <p className="notice bad" role="status">
          {partWords.silent(part.title, part.slot)}
        </p>
      )}
      <iframe ref={frame} className="plugin-frame" title={part.title} sandbox="allow-scripts allow-forms" referrerPolicy="no-referrer" style={fill ? undefined : { height }} data-state={state} />
    </div>
  );
}

function assign(to: string): void {
  location.assign(to);
}

/** Inside the app: without a load where the app has the page. */
export function AppPluginFrame(given: Given) {
  const [, navigate] = useLocation();
  return <PluginFrame {...given} go={(to) => (isInside(to) ? navigate(to) : assign(to))} />;
}
