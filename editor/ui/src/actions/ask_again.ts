import { action } from './action.ts';

export const askAgain = action({
  id: 'ask-again',
  label: 'Ask again which one is meant',
  group: 'Edit',
  hidden: ({ kept }) => Object.keys(kept).length === 0,
  perform: ({ store }) => store.setState({ kept: {} }),
});
