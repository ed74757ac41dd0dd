/** Requests to the program. Everything that comes back is parsed before anybody sees it. */
import * as v from 'valibot';
import { refusal, RefusalSchema, type Result } from './result.ts';

export interface Ask {
  query?: Record<string, string | number | null | undefined>;
  /** Makes the request a writing one; a `POST` without a body reads. */
  body?: unknown;
  /** A file's bytes instead. */
  file?: Blob;
  method?: 'POST' | 'PUT' | 'DELETE';
  signal?: AbortSignal;
}

/** Sends one request. Resolves always: whatever goes wrong is a refusal in words. */
export type Call = <S extends v.GenericSchema>(schema: S, path: string, ask?: Ask) => Promise<Result<v.InferOutput<S>>>;

const UNREACHABLE = 'The Editor’s program does not answer. Is it still running in your terminal?';

/** `send` is `fetch`, or a double of it. */
export function createClient(send: typeof fetch): Call {
  return async (schema, path, ask = {}) => {
    let response: Response;
    try {
      response = await send(address(path, ask.query), {
        method: ask.method ?? 'POST',
        ...(ask.file === undefined ? {} : { headers: { 'content-type': 'application/octet-stream' }, body: ask.file }),
        ...(ask.body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(ask.body) }),
        ...(ask.signal ? { signal: ask.signal } : {}),
      });
    } catch (error) {
      const aborted = error instanceof DOMException && error.name === 'AbortError';
      return { ok: false, refusal: refusal(aborted ? 'aborted' : 'unreachable', UNREACHABLE) };
    }
    const text = await response.text().catch(() => '');
    return read(schema, path, response.status, text);
  };
}

function read<S extends v.GenericSchema>(schema: S, path: string, status: number, text: string): Result<v.InferOutput<S>> {
  const json = parseJson(text);
  const refused = v.safeParse(RefusalSchema, json);
  if (refused.success) {
    const { ok: _, suggestedSlug, ...refusal } = refused.output;
    return { ok: false, refusal: suggestedSlug === undefined || suggestedSlug === '' ? refusal : { ...refusal, suggestedSlug } };
  }
  if (status >= 400) {
    // Comments come from the review server, which writes `{ error }`.
    const foreign = v.safeParse(v.object({ error: v.string() }), json);
    const reason = foreign.success ? foreign.output.error : `${path} was answered with status ${status}`;
    return { ok: false, refusal: refusal(`status-${status}`, reason) };
  }
  const parsed = v.safeParse(schema, json);
  if (parsed.success) return { ok: true, value: parsed.output };
  const where = v.getDotPath(parsed.issues[0]) ?? 'the whole answer';
  const reason = `The answer of ${path} is not understood (${where}: ${parsed.issues[0].message}). The interface and the program may be of different versions.`;
  return { ok: false, refusal: refusal('not-understood', reason) };
}

/** The reason of an answer that is none; null when it says nothing. */
export function refusalOf(text: string): string | null {
  const refused = v.safeParse(RefusalSchema, parseJson(text));
  return refused.success ? refused.output.reason : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return undefined;
  }
}

export function address(path: string, query: Ask['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}
