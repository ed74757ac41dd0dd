/** The five states of a view, in words: loading, empty, refused, offline, gone. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Loading, State } from '@kit/State.tsx';
import { words } from '@kit/words.ts';
import { CloudOff, SearchX } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { asApiError, type ApiError } from '../api/error.ts';
import { shellWords } from '../words.ts';

/** What a query came to. An older answer stays while a newer one is on its way, and when that one fails. */
export function Awaited<T>({ of, loading = shellWords.loading, children }: { of: UseQueryResult<T>; loading?: string; children: (value: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <Failed error={asApiError(of.error)} again={() => void of.refetch()} />;
  return <Loading what={loading} />;
}

/** Why there is nothing to show, and the way out. */
export function Failed({ error, title, again }: { error: ApiError; title?: string; again?: () => void }) {
  const retry = again && (
    <button type="button" className="button" onClick={again}>
      {words.again}
    </button>
  );
  switch (error.failure) {
    case 'gone':
      return <Gone title={title ?? shellWords.gone}>{error.reason}</Gone>;
    case 'offline':
      return (
        <State title={title ?? shellWords.offline} icon={<CloudOff size={20} aria-hidden />} actions={retry}>
          {error.reason}
        </State>
      );
    default:
      return (
        <State title={title ?? shellWords.refused} tone="bad" actions={retry}>
          {error.reason}
        </State>
      );
  }
}

/** Deleted, switched off, or never there. */
export function Gone({ title = shellWords.gone, children = shellWords.goneWhy }: { title?: string; children?: ReactNode }) {
  return (
    <State
      title={title}
      icon={<SearchX size={20} aria-hidden />}
      actions={
        <a className="button" href="/">
          {shellWords.back}
        </a>
      }
    >
      {children}
    </State>
  );
}

/** Keeps a mistake in one part from taking the whole page with it. Another address (`at`) is another try. */
export class Guarded extends Component<{ at?: string; children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidUpdate(before: { at?: string }): void {
    if (this.state.error && before.at !== this.props.at) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const lost = /dynamically imported|import|preload/i.test(error.message);
    return (
      <State
        title={lost ? shellWords.notLoaded : shellWords.crashed}
        tone="bad"
        actions={
          <button type="button" className="button" onClick={() => location.reload()}>
            {shellWords.reload}
          </button>
        }
      >
        {lost ? shellWords.notLoadedWhy : shellWords.crashedWhy}
      </State>
    );
  }
}
