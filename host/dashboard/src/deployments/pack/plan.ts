/** What of a dropped folder or archive becomes the deployment. Pure: it knows only paths. */

/** One file of a folder, by its path below what was dropped. */
export interface PackEntry {
  path: string;
  file: Blob;
}

/** Where a site begins. `''` is the top. */
export type Plan =
  | { is: 'ready'; root: string }
  /** `index.html` lies deeper: these folders have one, the likeliest first. */
  | { is: 'nested'; roots: string[] }
  | { is: 'none' };

/** Folders that build tools write to, the likeliest first. */
const OUTPUTS = ['dist', 'build', 'out', 'public', '_site', 'www'];
/** Folders that are never part of a site. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.hg', '.svn']);
/** Files that desktops leave in folders. */
const SKIPPED_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** How many folders are offered. */
const MAX_ROOTS = 6;

/** Whether a folder is left out, with everything in it. */
export function isSkippedFolder(name: string): boolean {
  return SKIPPED_FOLDERS.has(name);
}

/** Whether a path is left out of a deployment. */
export function isSkipped(path: string): boolean {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  return SKIPPED_FILES.has(name) || name.startsWith('._') || parts.some(isSkippedFolder);
}

/** Finds the folder with `index.html`. A single folder that holds everything was the thing dropped: it is looked into. */
export function planOf(paths: readonly string[]): Plan {
  const pages = paths.filter((path) => path === 'index.html' || path.endsWith('/index.html'));
  const top = commonFolder(paths);
  const roots = pages.map((path) => path.slice(0, Math.max(0, path.length - '/index.html'.length)));
  if (roots.includes('')) return { is: 'ready', root: '' };
  const found = roots.sort((a, b) => depth(a) - depth(b) || rank(a) - rank(b) || a.localeCompare(b));
  const [first] = found;
  if (first === undefined) return { is: 'none' };
  if (first === top) return { is: 'nested', roots: [first] };
  // Pages below a folder that is offered already belong to that folder's site.
  const offered = found.filter((root) => !found.some((other) => other !== root && root.startsWith(`${other}/`)));
  return { is: 'nested', roots: offered.slice(0, MAX_ROOTS) };
}

/** Takes the name of the dropped folder off: `site/index.html` was dropped as `site`. */
export function withoutTop(entries: readonly PackEntry[]): PackEntry[] {
  const top = commonFolder(entries.map(({ path }) => path));
  return top === '' ? [...entries] : below(entries, top);
}

/** The entries of one folder, with paths below it. */
export function below(entries: readonly PackEntry[], root: string): PackEntry[] {
  if (root === '') return [...entries];
  const start = `${root}/`;
  return entries.filter(({ path }) => path.startsWith(start)).map(({ path, file }) => ({ path: path.slice(start.length), file }));
}

/** The first folder that all paths begin with, or `''`. */
export function commonFolder(paths: readonly string[]): string {
  const [first] = paths;
  const end = first?.indexOf('/') ?? -1;
  if (first === undefined || end < 1) return '';
  const top = first.slice(0, end);
  return paths.every((path) => path.startsWith(`${top}/`)) ? top : '';
}

function depth(root: string): number {
  return root.split('/').length;
}

function rank(root: string): number {
  const at = OUTPUTS.indexOf(root.split('/').pop() ?? '');
  return at === -1 ? OUTPUTS.length : at;
}
