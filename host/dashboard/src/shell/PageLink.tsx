import type { ComponentProps } from 'react';
import { Link } from 'wouter';

/** Only these addresses are of the review page, which is a document of its own: its key is narrower. */
const REVIEW = /^\/projects\/[^/?#]+(?:\/compare\/[^?#]*)?\/?(?:[?#]|$)/;

/** Whether the app goes to an address without a load. */
export function isInside(href: string): boolean {
  return !REVIEW.test(href) && /^\/(?:$|[?#]|projects\/|instance|you|x\/)/.test(href);
}

/** A link between the pages: without a load inside the app, with a full load to the review and to everything else. */
export function PageLink({ href, ...rest }: ComponentProps<'a'> & { href: string }) {
  return isInside(href) ? <Link href={href} {...rest} /> : <a href={href} {...rest} />;
}
