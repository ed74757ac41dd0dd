import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { Pane } from '../../api/page.ts';
import { fittingZoom } from '../../model/breakpoints.ts';
import { setShown } from '../../model/panes.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** Space around a page of a fixed width, in pixels. */
const MARGIN = 44;
const SMALLEST = 240;
const LARGEST = 3840;

/** The prototype at its own origin, in the width and zoom that were asked for. */
export function Frame({ pane }: { pane: Pane }) {
  const editor = useEditor();
  const outer = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const space = useSpace(outer);
  const preview = useModel((model) => model.session?.previewUrl ?? null);
  const nonce = useModel((model) => model.session?.nonce ?? '');
  const shown = useModel((model) => model.session !== null && (model.session.host.status === 'running' || model.session.host.status === 'attached'));
  const width = useModel((model) => (pane === 'main' ? model.width : model.sideWidth));
  const zoom = useModel((model) => model.zoom);
  // Beside another page the second begins where that one is.
  const [begin] = useState(() => (pane === 'side' ? editor.store.getState().page.address : ''));
  const address = begin !== '' && preview !== null && originOf(begin) === originOf(preview) ? begin : (preview ?? undefined);
  const origin = preview === null ? null : originOf(preview);

  useLayoutEffect(() => {
    const view = frame.current?.contentWindow ?? null;
    if (origin !== null && view !== null) editor.page.attach(view, origin, nonce, pane);
    return () => {
      editor.page.attach(null, '', '', pane);
      setShown(editor, pane, ({ page }) => ({ page: { ...page, ready: false }, structure: null }));
    };
  }, [editor, origin, nonce, shown, pane]);

  const framed = width !== null;
  const scale = zoom ?? fittingZoom(width, space.width - MARGIN);
  const logical = width ?? Math.max(1, Math.round(space.width / scale));
  const height = Math.max(1, Math.round((space.height - (framed ? 32 : 0)) / scale));
  useEffect(() => setShown(editor, pane, () => ({ shown: { width: logical, scale } })), [editor, pane, logical, scale]);
  const size = { width: framed ? logical * scale : '100%', height: height * scale };
  return (
    <div ref={outer} style={{ width: '100%', height: '100%', overflow: framed || scale > 1 ? 'auto' : 'hidden' }}>
      {shown && preview !== null && (
        <div className={`frame${framed ? ' framed' : ''}`} style={size}>
          <iframe
            ref={frame}
            title={pane === 'main' ? messages.frameTitle : messages.sideFrameTitle}
            data-pane={pane}
            // Tab passes by: who wants in has a key for it.
            tabIndex={-1}
            src={address}
            allow="clipboard-write; fullscreen"
            style={{ width: logical, height, transform: scale === 1 ? undefined : `scale(${scale})` }}
          />
          {framed && <Grip pane={pane} width={logical} scale={scale} />}
        </div>
      )}
    </div>
  );
}

/** The right edge: dragging it changes the width. Both sides grow, as the page stands in the middle. */
function Grip({ pane, width, scale }: { pane: Pane; width: number; scale: number }) {
  const { store } = useEditor();
  const set = (next: number): void => {
    const wanted = Math.round(Math.min(LARGEST, Math.max(SMALLEST, next)));
    store.setState(pane === 'main' ? { width: wanted } : { sideWidth: wanted });
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    const [from, before, element] = [event.clientX, width, event.currentTarget];
    element.setPointerCapture(event.pointerId);
    document.body.classList.add('dragging');
    const move = (moved: globalThis.PointerEvent): void => set(before + ((moved.clientX - from) * 2) / scale);
    const end = (): void => {
      document.body.classList.remove('dragging');
      element.removeEventListener('pointermove', move);
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('lostpointercapture', end, { once: true });
  };
  const key = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 50 : 10;
    if (event.key === 'ArrowRight') set(width + step);
    else if (event.key === 'ArrowLeft') set(width - step);
    else return;
    event.preventDefault();
  };
  return (
    <div
      className="grip"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={pane === 'main' ? messages.grip : messages.sideGrip}
      aria-valuenow={width}
      aria-valuemin={SMALLEST}
      aria-valuemax={LARGEST}
      onPointerDown={press}
      onKeyDown={key}
    />
  );
}

function useSpace(of: { current: HTMLElement | null }): { width: number; height: number } {
  const [space, setSpace] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = of.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSpace({ width: element.offsetWidth, height: element.offsetHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return space;
}

function originOf(address: string): string | null {
  try {
    return new URL(address).origin;
  } catch {
    return null;
  }
}
