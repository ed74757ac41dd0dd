/** Places in source files: `path:line:column`. */
export interface Place {
  path: string;
  line: number;
  column: number;
}

/** The path may hold colons itself; the last two belong to the place. */
export function parsePlace(stamp: string): Place | null {
  const found = /^(.+):(\d+):(\d+)$/s.exec(stamp);
  if (!found?.[1]) return null;
  return { path: found[1], line: Number(found[2]), column: Number(found[3]) };
}

export function fileOf(stamp: string): string {
  return parsePlace(stamp)?.path ?? stamp;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** For people: `Card.tsx:12`. */
export function shortPlace(stamp: string): string {
  const place = parsePlace(stamp);
  return place ? `${baseName(place.path)}:${place.line}` : baseName(stamp);
}

/** For people who have to find it: `src/Card.tsx:12`. */
export function longPlace(stamp: string): string {
  const place = parsePlace(stamp);
  return place ? `${place.path}:${place.line}` : stamp;
}

/** The name of the component a file is about: `src/Card/index.tsx` is `Card`. */
export function componentName(path: string): string {
  const name = baseName(path).replace(/\.[^.]+$/, '');
  if (!/^(?:[Ii]ndex|page|layout|default)$/.test(name)) return pascal(name);
  const folder = baseName(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return pascal(folder === '' ? name : folder);
}

function pascal(name: string): string {
  return name.replace(/(?:^|[-_.\s]+)([\p{L}\p{N}])/gu, (_, letter: string) => letter.toUpperCase());
}

/** The address that opens a place in VS Code. `root` is an absolute path. */
export function vscodeAddress(root: string, stamp: string): string {
  const place = parsePlace(stamp);
  const path = `${root.replace(/\\/g, '/').replace(/\/$/, '')}/${place?.path ?? stamp}`;
  const encoded = path.split('/').map(encodeURIComponent).join('/').replace(/^\/?/, '/');
  return place ? `vscode://file${encoded}:${place.line}:${place.column + 1}` : `vscode://file${encoded}`;
}

/** The path of a page of the preview, with its query and fragment. */
export function pathOf(address: string): string {
  try {
    const { pathname, search, hash } = new URL(address);
    return pathname + search + hash;
  } catch {
    return '/';
  }
}
