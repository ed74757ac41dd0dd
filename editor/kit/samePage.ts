/** Telling which page of a prototype an address means. */

/** The path of a page's address: comments follow a prototype from the local dev server to the review server and back. */
export function pagePath(address: string): string {
  try {
    const { pathname, hash } = new URL(address, 'http://localhost');
    // Routers that live behind `#/`.
    return pathname.replace(/(?<=.)\/$/, '') + (hash.startsWith('#/') ? hash : '');
  } catch {
    return address;
  }
}

/** The review server may serve the prototype below `/p/<slug>/`. */
export function samePage(one: string, other: string): boolean {
  const plain = (address: string): string => pagePath(address).replace(/^\/p\/[^/]+(?:\/@[^/]+)?(?=\/|$)/, '').replace(/^$/, '/');
  return plain(one) === plain(other);
}
