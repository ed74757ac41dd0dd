/**
 * The two versions that an address compares: `…/compare/:a/:b`, or `?compare=a,b` at the review's own address. The host sends the
 * app's document for the first. That one has the key for everything, and must not frame prototypes that share this origin; so it
 * goes on to the second, where the document has a key for this project alone.
 */
export function comparedOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string[] {
  const [, , , view, ...versions] = pathname.split('/').map(decodeURIComponent);
  if (view === 'compare') return versions;
  return new URLSearchParams(search).get('compare')?.split(',') ?? [];
}

/** Where the document is that may frame both. */
export function comparingAddress(slug: string, a: string, b: string): string {
  return `/projects/${encodeURIComponent(slug)}?compare=${encodeURIComponent(a)},${encodeURIComponent(b)}`;
}
