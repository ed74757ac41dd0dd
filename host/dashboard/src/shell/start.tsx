/** What both pages begin with. */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/queries.ts';
import { SessionEnded } from './SessionEnded.tsx';
import { Guarded } from './states.tsx';
import { Toasts } from './toasts.tsx';

export function start(page: ReactNode): void {
  const root = document.getElementById('page');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <Guarded>{page}</Guarded>
        <Toasts />
        <SessionEnded />
      </QueryClientProvider>
    </StrictMode>,
  );
}
