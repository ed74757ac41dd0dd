import { useEffect, useRef, type ReactNode } from 'react';
import { PageLink } from '../shell/PageLink.tsx';

export interface SectionLink {
  href: string;
  label: string;
}

/** A list of parts at the side (on top on a phone), and the chosen one. */
export function Sections({ label, links, current, children }: { label: string; links: readonly SectionLink[]; current: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  // On a phone the list is one line, longer than the window.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current, links.length]);
  return (
    <div className="sections">
      <nav ref={nav} className="section-nav" aria-label={label}>
        {links.map(({ href, label }) => (
          <PageLink key={href} href={href} className="site-link" aria-current={href === current ? 'page' : undefined}>
            {label}
          </PageLink>
        ))}
      </nav>
      <div className="section-content">{children}</div>
    </div>
  );
}
