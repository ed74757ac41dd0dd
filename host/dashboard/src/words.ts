/**
 * All sentences of the pages: one object for each area, each with one owner. Names, roles and refusals come from the server
 * and are shown as they are.
 */

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${new Intl.NumberFormat('en').format(number)} ${noun}${number === 1 ? '' : 's'}`;
}

export const apiWords = {
  offline: 'The server cannot be reached. Check your connection; nothing you typed is lost.',
  aborted: 'This was cancelled.',
  againIn: (seconds: number): string => `Try again in ${count(seconds, 'second')}.`,
  status: (status: number): string => `The server answered with status ${status} and no explanation. Its log says more.`,
  notUnderstood: (path: string, where: string, why: string): string => `The answer of ${path} is not understood (${where === '' ? 'all of it' : where}: ${why}). The pages and the server may be of different versions: load the page again.`,
} as const;

export const shellWords = {
  product: 'Galley',
  skip: 'Skip to the content',
  projects: 'Projects',
  instance: 'Administration',
  you: 'Your account',
  account: (name: string): string => `Account of ${name}`,
  signIn: 'Sign in',
  signOut: 'Sign out',
  theme: 'Theme',
  themes: { system: 'Like the system', light: 'Light', dark: 'Dark' },
  dismiss: 'Dismiss',
  reload: 'Load the page again',
  back: 'To your projects',
  loading: 'Loading…',
  refused: 'This did not work',
  gone: 'There is nothing here',
  goneWhy: 'It was deleted, it never existed, or you have no access to it.',
  unknownPage: 'There is no page at this address',
  unknownPageWhy: 'Perhaps the link is old, or a letter is missing.',
  offline: 'You are offline',
  offlineBar: 'The server cannot be reached. What you typed is kept; this page tries again by itself.',
  crashed: 'This part of the page stopped',
  crashedWhy: 'What you typed before is kept where it was sent or saved. Load the page again; if it happens again, tell an admin what you did.',
  notLoaded: 'This part could not be loaded',
  notLoadedWhy: 'The connection was lost, or the server has newer pages by now.',
  ended: 'Your sign-in has ended',
  endedWhy: 'Nothing you typed is lost: it is kept in this tab and is there again when you come back.',
  again: 'Sign in again',
  later: 'Not now',
  slotAbsent: (name: string): string => `${name} are switched off`,
  slotAbsentWhy: 'An admin can switch them on under Administration, Plugins.',
  slotFailed: (slot: string): string => `The plugin “${slot}” does not answer right now. Everything else works.`,
  project: { review: 'Review', deployments: 'Deployments', settings: 'Settings', tabs: 'Parts of the project', open: 'Open the prototype' },
  access: { 'all-members': 'All members', invited: 'Invited people', 'public-link': 'Anybody with the link' },
} as const;

export const projectsWords = {
  title: 'Projects',
} as const;

export const reviewWords = {
  title: 'Review',
} as const;

export const deploymentsWords = {
  title: 'Deployments',
} as const;

export const settingsWords = {
  title: 'Settings',
} as const;

export const instanceWords = {
  title: 'Administration',
} as const;

export const youWords = {
  title: 'Your account',
} as const;
