/** What a request that failed came to, in words. */

/**
 * - `signed-out`: the session ended; whatever was typed stays.
 * - `stale`: the page belongs to another sign-in and has to be loaded again.
 * - `refused`: the server said why.
 * - `gone`: what was asked for is not there, or not for this reader.
 * - `busy`: too many requests, or the server has no room for this one; `retryAfter` says when to try again.
 * - `offline`: the server was not reached.
 * - `broken`: an answer that nobody understands.
 * - `aborted`: somebody gave up on the request.
 */
export type Failure = 'signed-out' | 'stale' | 'refused' | 'gone' | 'busy' | 'offline' | 'broken' | 'aborted';

export class ApiError extends Error {
  readonly failure: Failure;
  /** The status of the answer; 0 without one. */
  readonly status: number;
  /** Seconds until the server wants to be asked again. */
  readonly retryAfter: number | null;
  /** The whole answer, for those who know more of it. */
  readonly body: unknown;

  constructor(failure: Failure, reason: string, { status = 0, retryAfter = null, body = null }: { status?: number; retryAfter?: number | null; body?: unknown } = {}) {
    super(reason);
    this.failure = failure;
    this.status = status;
    this.retryAfter = retryAfter;
    this.body = body;
  }

  /** What people read. */
  get reason(): string {
    return this.message;
  }
}

/** Any thrown value as an `ApiError`. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('broken', error instanceof Error ? error.message : String(error));
}
