import { count } from './count.ts';

export const apiWords = {
  offline: 'The server cannot be reached. Check your connection; nothing you typed is lost.',
  aborted: 'This was cancelled.',
  againIn: (seconds: number): string => `Try again in ${count(seconds, 'second')}.`,
  status: (status: number): string => `The server answered with status ${status} and no explanation. Its log says more.`,
  notUnderstood: (path: string, where: string, why: string): string => `The answer of ${path} is not understood (${where === '' ? 'all of it' : where}: ${why}). The pages and the server may be of different versions: load the page again.`,
} as const;
