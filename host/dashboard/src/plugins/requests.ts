/** Which requests the page makes for a plugin's part: the slot's own routes, and what the operator approved. */

export interface Wanted {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Behind `/api/v1`, with its query. */
  path: string;
}

const METHODS: readonly string[] = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'];
const ROOT = '/api/v1/';

/**
 * The request in the form in which it is sent, or `null` when it is none of `requests` (`METHOD /path`, `{name}` for one segment).
 * A segment for `{project}` has to be the project around the part, where there is one. Nothing is compared before it is in the
 * form in which a browser sends it: `..` and `%2e` are gone by then.
 */
export function permitted(requests: readonly string[], method: unknown, path: unknown, project: string | null): Wanted | null {
  if (typeof method !== 'string' || typeof path !== 'string' || !METHODS.includes(method) || !path.startsWith(ROOT) || /[\\#\s]/.test(path)) return null;
  let address: URL;
  try {
    address = new URL(path, 'http://host.invalid');
  } catch {
    return null;
  }
  if (address.host !== 'host.invalid' || !address.pathname.startsWith(ROOT)) return null;
  const segments = address.pathname.split('/');
  // Encoded slashes, dots and percent signs could be read differently behind this page.
  if (segments.some((segment) => /%(?:2f|5c|2e|25|00)/i.test(segment))) return null;
  const fits = requests.some((request) => {
    const [allowed, pattern] = request.split(' ');
    return allowed === method && pattern !== undefined && matches(pattern.split('/'), segments, project);
  });
  return fits ? { method: method as Wanted['method'], path: address.pathname.slice(ROOT.length - 1) + address.search } : null;
}

function matches(pattern: readonly string[], segments: readonly string[], project: string | null): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((wanted, at) => {
      const segment = segments[at] ?? '';
      if (!/^\{\w+\}$/.test(wanted)) return wanted === segment;
      return wanted === '{project}' && project !== null ? segment === project : segment !== '';
    })
  );
}
