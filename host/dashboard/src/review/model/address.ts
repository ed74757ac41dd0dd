/** What the address of a review says: `?c=12` a comment, `?page=/about` a page, `?at=<deploymentId>` a version, `?w=390` a width. */
export interface Place {
  /** A comment's number in its project. */
  comment: number | null;
  page: string | null;
  deployment: string | null;
  /** In CSS pixels; `null` fills what there is. */
  width: number | null;
}

export const MIN_WIDTH = 240;
export const MAX_WIDTH = 3840;
const MAX_PAGE = 2_000;

/** Reads the query. What it does not understand is left out: links are typed and cut by people. */
export function parsePlace(search: string): Place {
  const query = new URLSearchParams(search);
  const width = wholeNumber(query.get('w'));
  const page = query.get('page');
  const deployment = query.get('at');
  return {
    comment: wholeNumber(query.get('c')),
    page: page !== null && isPath(page) ? page : null,
    deployment: deployment !== null && /^[\w-]{1,64}$/.test(deployment) ? deployment : null,
    width: width !== null && width >= MIN_WIDTH && width <= MAX_WIDTH ? width : null,
  };
}

/** The query of a place, `''` for the place everybody begins at. */
export function queryOf({ comment, page, deployment, width }: Place): string {
  const query = new URLSearchParams();
  if (comment !== null) query.set('c', String(comment));
  if (page !== null && page !== '/') query.set('page', page);
  if (deployment !== null) query.set('at', deployment);
  if (width !== null) query.set('w', String(width));
  const text = query.toString().replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}

/** The slug in `/projects/:slug`. */
export function slugOf(path: string): string | null {
  return /^\/projects\/([a-z0-9-]{1,63})\/?$/.exec(path)?.[1] ?? null;
}

/** A path of the prototype itself: never another host's address. */
export function isPath(text: string): boolean {
  return text.length <= MAX_PAGE && /^\/(?![/\\])/.test(text) && !/[\\\p{Cc}]/u.test(text);
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
