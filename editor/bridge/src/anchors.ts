/**
 * In-page links. The server puts a `<base href>` into pages that it serves below a path, and that turns `href="#x"` into
 * a link to another page. Such clicks are made to mean what their author meant.
 */

/** Marks the tag that the server put in. A page with its own `<base>` behaves as its author saw it. */
const INJECTED_BASE = 'base[data-galley]';

/** Repairs in-page links of `view`'s page. Listens on the window: the page's own handlers come first. */
export function repairAnchors(view: Window): void {
  if (!view.document.querySelector(INJECTED_BASE)) return;
  view.addEventListener('click', (event) => {
    const fragment = inPageTarget(event);
    if (fragment === undefined) return;
    event.preventDefault();
    // The full address instead of `location.hash = …`: that would do nothing when the fragment is there already, and
    // a second click on the same link should scroll back to its target.
    view.location.assign(view.location.href.replace(/#.*$/s, '') + fragment);
  });
}

/** The `#fragment` a click leads to, when the browser itself would follow it in this window. */
export function inPageTarget(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  if (event.target === null || !('closest' in event.target)) return undefined;
  const link = (event.target as Element).closest('a[href], area[href]');
  if (!link || link.hasAttribute('download')) return undefined;
  if (!/^(_self)?$/i.test(link.getAttribute('target') ?? '')) return undefined;
  const href = link.getAttribute('href')?.trim() ?? '';
  return href.startsWith('#') ? href : undefined;
}
