/** How answers are kept and asked for again. */
import { QueryClient } from '@tanstack/react-query';
import { asApiError } from './error.ts';

/** How long an answer counts as new, in milliseconds. */
const FRESH = 15_000;
const MAX_TRIES = 3;
const MAX_WAIT = 30_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH,
        // The server may be on this machine: what the browser thinks of the network does not matter.
        networkMode: 'always',
        retry: (tries, error) => tries < MAX_TRIES && isPassing(error),
        retryDelay: (tries, error) => Math.min(MAX_WAIT, (asApiError(error).retryAfter ?? 0.5 * 2 ** tries) * 1000),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Whether the same request may well succeed in a moment. */
function isPassing(error: Error): boolean {
  const { failure } = asApiError(error);
  return failure === 'offline' || failure === 'busy';
}
