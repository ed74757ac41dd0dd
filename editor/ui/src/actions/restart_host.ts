import { restartHost } from '../model/host.ts';
import { action } from './action.ts';

export const restart = action({
  id: 'restart-host',
  label: 'Restart the dev server',
  group: 'Page',
  available: ({ session }) => (session?.host.kind === 'attach' ? 'It was started elsewhere: restart it there.' : true),
  perform: restartHost,
});
