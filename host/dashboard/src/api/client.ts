/** Requests to `/api/v1`. Every answer is parsed before anybody sees it; whatever goes wrong is an `ApiError` in words. */
import * as v from 'valibot';
import { apiWords } from '../words.ts';
import { ApiError } from './error.ts';
import { keyHeader } from './key.ts';
import { sessionEnded } from './session.ts';

export interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | boolean | null | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  file?: Blob;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** For answers without a body. */
export const NothingSchema = v.unknown();

/** Asks for JSON. `path` begins behind `/api/v1`. */
export async function ask<S extends v.GenericSchema>(schema: S, path: string, given: Ask = {}): Promise<v.InferOutput<S>> {
  const response = await send(path, given);
  const text = await response.text().catch(() => '');
  const parsed = v.safeParse(schema, parseJson(text));
  if (parsed.success) return parsed.output;
  const where = v.getDotPath(parsed.issues[0]) ?? '';
  throw new ApiError('broken', apiWords.notUnderstood(path, where, parsed.issues[0].message), { status: response.status });
}

/** The raw answer of a request, for streams and files. Anything but a 2xx throws. */
export async function send(path: string, { method, query, body, file, headers, signal }: Ask = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address(path, query), {
      method: method ?? (body === undefined && file === undefined ? 'GET' : 'POST'),
      headers: { accept: 'application/json', ...keyHeader(), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file }),
      ...(signal ? { signal } : {}),
      credentials: 'same-origin',
      redirect: 'error',
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw new ApiError('aborted', apiWords.aborted);
    throw new ApiError('offline', apiWords.offline);
  }
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  throw refusal(response.status, text, response.headers.get('retry-after'));
}

const RefusalSchema = v.object({ error: v.string(), key: v.optional(v.string()) });

/** What an answer with `status` means. Uploads by XMLHttpRequest use it too. */
export function refusal(status: number, text: string, retry: string | null): ApiError {
  const body = parseJson(text);
  const said = v.safeParse(RefusalSchema, body);
  const reason = said.success ? said.output.error : apiWords.status(status);
  const retryAfter = retry !== null && /^\d+$/.test(retry) ? Number(retry) : null;
  const about = { status, retryAfter, body };
  if (status === 401) {
    sessionEnded();
    return new ApiError('signed-out', reason, about);
  }
  if (status === 403 && said.success && said.output.key === 'stale') {
    sessionEnded();
    return new ApiError('stale', reason, about);
  }
  if (status === 404 || status === 410) return new ApiError('gone', reason, about);
  if (status === 429 || status === 503) return new ApiError('busy', retryAfter === null ? reason : `${reason} ${apiWords.againIn(retryAfter)}`, about);
  return new ApiError('refused', reason, about);
}

function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function address(path: string, query: Ask['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `/api/v1${path}${text === '' ? '' : `?${text}`}`;
}
