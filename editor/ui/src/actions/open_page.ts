import { action } from './action.ts';

export const openPage = action({
  id: 'open-page',
  label: 'Open the prototype in its own tab',
  group: 'Page',
  available: ({ session }) => typeof session?.previewUrl === 'string' || 'The prototype is not running yet.',
  perform: ({ store, world }) => {
    const { session, page } = store.getState();
    const address = page.address === '' ? session?.previewUrl : page.address;
    if (address) world.open(address);
  },
});
