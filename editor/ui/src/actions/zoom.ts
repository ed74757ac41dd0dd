import { zoomed } from '../model/breakpoints.ts';
import type { Editor } from '../model/editor.ts';
import type { Model } from '../model/model.ts';
import { action } from './action.ts';

/** The zoom of what is looked at: of the canvas, or of the page. */
function zoomOf({ canvas, board, zoom, shown }: Model): { zoom: number | null; scale: number } {
  return canvas ? board : { zoom, scale: shown.scale };
}

function setZoom({ store }: Editor, change: (now: number) => number | null): void {
  store.setState((model) => {
    const { zoom, scale } = zoomOf(model);
    const next = change(zoom ?? scale);
    return model.canvas ? { board: { ...model.board, zoom: next } } : { zoom: next };
  });
}

export const zoomIn = action({
  id: 'zoom-in',
  label: 'Zoom in',
  group: 'View',
  keys: ['+', '='],
  perform: (editor) => setZoom(editor, (now) => zoomed(now, 1)),
});

export const zoomOut = action({
  id: 'zoom-out',
  label: 'Zoom out',
  group: 'View',
  keys: ['-'],
  perform: (editor) => setZoom(editor, (now) => zoomed(now, -1)),
});

export const zoomFull = action({
  id: 'zoom-full',
  label: 'Zoom to 100 %',
  group: 'View',
  keys: ['0'],
  pressed: (model) => zoomOf(model).zoom === 1,
  perform: (editor) => setZoom(editor, () => 1),
});

export const zoomFit = action({
  id: 'zoom-fit',
  label: 'Zoom to fit',
  group: 'View',
  keys: ['9'],
  pressed: (model) => zoomOf(model).zoom === null,
  perform: (editor) => setZoom(editor, () => null),
});
