import { BREAKPOINTS } from '../model/breakpoints.ts';
import { action } from './action.ts';

export const breakpoints = BREAKPOINTS.map(({ id, label, width }, index) =>
  action({
    id: `width-${id}`,
    label: width === null ? 'Width: fill the space' : `Width: ${label}, ${width} px`,
    group: 'View',
    keys: [String(index + 1)],
    pressed: (model) => model.width === width,
    perform: ({ store }) => store.setState({ width }),
  }),
);
