/** The key of this page, which the host wrote into its HTML. */

/** What the page's key is called in the HTML while the host has not replaced it. */
const UNSET_KEY = '__GALLEY_KEY__';

/** The headers that show a request to be one of these pages; none for guests. */
export function keyHeader(): Record<string, string> {
  const key = document.querySelector<HTMLMetaElement>('meta[name="galley-key"]')?.content ?? UNSET_KEY;
  return key === UNSET_KEY || key === '' ? {} : { 'x-galley-key': key };
}
