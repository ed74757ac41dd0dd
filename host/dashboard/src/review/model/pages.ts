/** Pages of a prototype: what the frame reports, what comments keep, and what `/open/<slug>` takes. */
import { pagePath, samePage } from '@kit/samePage.ts';
import type { PinState } from './filters.ts';

/** `/p/<slug>` or `/p/<slug>/@<deployment>`, where prototypes are served below a path. */
const SERVED = /^\/p\/[^/?#]+(?:\/@[^/?#]+)?(?=[/?#]|$)/;
/** A page with a longer query is kept without it. The server takes 2,000 characters. */
const MAX_WITH_QUERY = 1_000;

/** The path and query inside the prototype: `/about?tab=2` for `/p/shop/about?tab=2` and for `https://shop.example.org/about?tab=2`. */
export function innerPath(address: string): string {
  const path = withQuery(address).replace(SERVED, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** What a comment keeps of the `page` that it was placed on: with the query, by which a prototype may tell its screens apart. */
export function pageToKeep(page: string, shown: string): string {
  const whole = withQuery(shown);
  return samePage(page, shown) && whole.length <= MAX_WITH_QUERY ? whole : page;
}

/**
 * Whether a comment of the page `written` is on the page that is `shown`. With another query that is so when its element is there:
 * the same page may be another screen, or the query may mean nothing.
 */
export function isOnPage(shown: string, written: string, state: PinState): boolean {
  return samePage(shown, written) && (sameQuery(shown, written) || !['unknown', 'detached'].includes(state));
}

/** Whether both have the same query. A page that was kept without one may have had any. */
export function sameQuery(shown: string, written: string): boolean {
  const query = searchOf(written);
  return query === '' || query === searchOf(shown);
}

function withQuery(address: string): string {
  const path = pagePath(address);
  const hash = path.indexOf('#');
  return hash < 0 ? path + searchOf(address) : path.slice(0, hash) + searchOf(address) + path.slice(hash);
}

function searchOf(address: string): string {
  try {
    return new URL(address, 'http://localhost').search;
  } catch {
    return '';
  }
}

/** What a frame or a tab opens: the live version, or the one with this id. */
export function openAddress(slug: string, deployment: string | null, path: string): string {
  const host = deployment === null ? slug : `d-${deployment}`;
  return `/open/${encodeURIComponent(host)}${path === '/' ? '' : `?to=${encodeURIComponent(path)}`}`;
}

/** The origin of what a frame shows: this page's, or that of the prototype (`url` is its address) or of one version of it. */
export function frameOrigin(serving: 'path' | 'own-origin', url: string, deployment: string | null): string | null {
  if (serving === 'path') return location.origin;
  try {
    const { protocol, host, origin } = new URL(url);
    return deployment === null ? origin : `${protocol}//d-${deployment}.${host.slice(host.indexOf('.') + 1)}`;
  } catch {
    return null;
  }
}

/** Where `path` lies in the prototype that shows `current` now, so that it can be gone to without a load. */
export function addressIn(current: string, path: string): string {
  try {
    return (SERVED.exec(new URL(current, 'http://localhost').pathname)?.[0] ?? '') + path;
  } catch {
    return path;
  }
}
