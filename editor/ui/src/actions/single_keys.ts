import { action } from './action.ts';

export const singleKeys = action({
  id: 'single-keys',
  label: 'Shortcuts of a single key',
  group: 'Help',
  pressed: (model) => model.singleKeys,
  perform: ({ store }) => store.setState(({ singleKeys }) => ({ singleKeys: !singleKeys })),
});
