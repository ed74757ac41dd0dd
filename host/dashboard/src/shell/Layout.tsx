import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { meQuery, uiQuery } from '../api/ui.ts';
import { partAddress, partsAt } from '../plugins/parts.ts';
import { shellWords } from '../words.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Brand } from './Brand.tsx';
import { Connection } from './Connection.tsx';
import { PageLink } from './PageLink.tsx';

/** The header with the ways to go, and the content below it. */
export function Layout({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const { data: me } = useQuery(meQuery);
  const { data: ui } = useQuery({ ...uiQuery, enabled: me?.user !== undefined });
  return (
    <div className="layout">
      <a className="skip" href="#content">
        {shellWords.skip}
      </a>
      <header className="site-head">
        <Brand />
        <nav className="site-nav">
          <PageLink href="/" className="site-link" aria-current={path === '/' ? 'page' : undefined}>
            {shellWords.projects}
          </PageLink>
          {partsAt(ui, 'page', { user: me?.user ?? null }).map((part) => (
            <PageLink key={part.entry} href={`/x/${partAddress(part)}`} className="site-link" aria-current={path === `/x/${partAddress(part)}` ? 'page' : undefined}>
              {part.title}
            </PageLink>
          ))}
          {me?.user?.role === 'admin' && (
            <PageLink href="/instance/members" className="site-link" aria-current={path.startsWith('/instance') ? 'page' : undefined}>
              {shellWords.instance}
            </PageLink>
          )}
        </nav>
        <AccountMenu />
      </header>
      <Connection />
      <main id="content" className="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
