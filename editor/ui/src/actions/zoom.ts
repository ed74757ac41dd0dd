import { zoomed } from '../model/breakpoints.ts';
import { action } from './action.ts';

export const zoomIn = action({
  id: 'zoom-in',
  label: 'Zoom in',
  group: 'View',
  keys: ['+', '='],
  perform: ({ store }) => store.setState(({ zoom, shown }) => ({ zoom: zoomed(zoom ?? shown.scale, 1) })),
});

export const zoomOut = action({
  id: 'zoom-out',
  label: 'Zoom out',
  group: 'View',
  keys: ['-'],
  perform: ({ store }) => store.setState(({ zoom, shown }) => ({ zoom: zoomed(zoom ?? shown.scale, -1) })),
});

export const zoomFull = action({
  id: 'zoom-full',
  label: 'Zoom to 100 %',
  group: 'View',
  keys: ['0'],
  pressed: ({ zoom }) => zoom === 1,
  perform: ({ store }) => store.setState({ zoom: 1 }),
});

export const zoomFit = action({
  id: 'zoom-fit',
  label: 'Zoom to fit',
  group: 'View',
  keys: ['9'],
  pressed: ({ zoom }) => zoom === null,
  perform: ({ store }) => store.setState({ zoom: null }),
});
