/** Which pages of the prototype are looked at: those that were named, and those they link to. */

/** Leaves the application, or the session. */
const AWAY = /log-?out|sign-?out|\.(?:pdf|zip|png|jpe?g|svg|xml|json|txt)$/i;

/** How many pages may differ only in a number or an id. */
const ALIKE = 1;

/** Walks at most `most` pages and gives `{ route, places }` for each that has elements with stamps. */
export async function walk(prototype, origin, { routes, most, say }) {
  const open = routes.map((route) => new URL(route, origin).href);
  const seen = new Set();
  const patterns = new Map();
  const found = [];
  while (open.length > 0 && seen.size < most) {
    const url = open.shift();
    if (seen.has(url)) continue;
    seen.add(url);
    const arrived = await prototype.load(url).catch((error) => {
      say(`${url} cannot be opened: ${error.message.split('\n')[0]}`);
      return null;
    });
    if (arrived === null || new URL(arrived).origin !== origin) continue;
    // Where a page leads on to another, that one is it.
    if (arrived !== url && seen.has(arrived)) continue;
    seen.add(arrived);
    const places = await prototype.call('rendered');
    say(`${new URL(arrived).pathname}: ${places.length} places of the source`);
    if (places.length > 0) found.push({ route: arrived, places });
    for (const link of await prototype.call('links')) {
      const { origin: of, pathname, search } = new URL(link);
      const target = of + pathname + search;
      const pattern = pathname.replace(/\d+|[0-9a-f]{8,}/g, '#');
      if (of !== origin || AWAY.test(pathname) || seen.has(target) || open.includes(target)) continue;
      if ((patterns.get(pattern) ?? 0) >= ALIKE) continue;
      patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
      open.push(target);
    }
  }
  return found;
}
