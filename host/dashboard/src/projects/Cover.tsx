import { useEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { create } from 'zustand';
import type { Cover as Facts, Project } from '../api/projects.ts';
import { projectsWords as words } from '../words.ts';

/** How long the pointer rests before the preview is loaded, in milliseconds. */
const REST = 450;

/** The project whose preview is shown: one at a time. */
const usePreview = create<{ shown: string | null }>(() => ({ shown: null }));

/** Whether the preview of a project is shown, and the handlers of whatever the pointer rests on. */
export function usePreviewOf(id: string, wanted: boolean): [boolean, { onPointerEnter: (event: PointerEvent) => void; onPointerLeave: () => void }] {
  const shown = usePreview((state) => state.shown === id);
  const timer = useRef(0);
  const leave = (): void => {
    clearTimeout(timer.current);
    usePreview.setState((state) => (state.shown === id ? { shown: null } : state));
  };
  useEffect(() => leave, [id]);
  const enter = (event: PointerEvent): void => {
    if (!wanted || event.pointerType !== 'mouse') return;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => usePreview.setState({ shown: id }), REST);
  };
  return [shown && wanted, { onPointerEnter: enter, onPointerLeave: leave }];
}

/** The picture of a project: colour and icon of its live version, or with `live` the version itself. */
export function Cover({ project, cover, live, isolated, children }: { project: Project; cover: Facts; live: boolean; isolated: boolean; children?: ReactNode }) {
  const colour = cover?.colour;
  return (
    <div className="cover">
      <div className="cover-tint" style={colour ? { backgroundColor: colour } : {}} />
      <span className="cover-icon" aria-hidden>
        {cover?.icon?.startsWith('data:image/') ? <img src={cover.icon} alt="" width={28} height={28} /> : [...project.name][0]?.toUpperCase()}
      </span>
      {live && <Live project={project} isolated={isolated} />}
      {children}
    </div>
  );
}

/**
 * The live version, made small. Its scripts run only where it is served from an origin of its own. Under this page's origin
 * they could read the page's key, so there it is shown without them; a page that scripts draw stays hidden behind the cover.
 */
function Live({ project, isolated }: { project: Project; isolated: boolean }) {
  const [drawn, setDrawn] = useState(false);
  return (
    <iframe
      className="cover-live"
      data-drawn={drawn}
      src={project.openUrl ?? project.url}
      title={words.preview(project.name)}
      sandbox={isolated ? 'allow-scripts allow-same-origin' : 'allow-same-origin'}
      tabIndex={-1}
      inert
      onLoad={({ currentTarget }) => setDrawn(isolated || showsSomething(currentTarget))}
    />
  );
}

function showsSomething(frame: HTMLIFrameElement): boolean {
  const body = frame.contentDocument?.body;
  return body !== undefined && body !== null && (body.innerText.trim() !== '' || body.querySelector('img, svg, video, canvas') !== null);
}
