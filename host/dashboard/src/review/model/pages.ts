/** Pages of a prototype: what the frame reports, what comments keep, and what `/open/<slug>` takes. */
import { pagePath } from '@kit/samePage.ts';

/** `/p/<slug>` or `/p/<slug>/@<deployment>`, where prototypes are served below a path. */
const SERVED = /^\/p\/[^/]+(?:\/@[^/]+)?(?=\/|$)/;

/** The path inside the prototype: `/about` for `/p/shop/about` and for `https://shop.example.org/about`. */
export function innerPath(address: string): string {
  const path = pagePath(address).replace(SERVED, '');
  return path.startsWith('/') ? path : `/${path}`;
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
