import { action } from './action.ts';

export const freeze = action({
  id: 'freeze',
  label: 'Freeze animations while selecting',
  group: 'View',
  keys: ['Shift+F'],
  pressed: (model) => model.freeze,
  perform: ({ store }) => store.setState(({ freeze }) => ({ freeze: !freeze })),
});
