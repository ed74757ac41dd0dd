/**
 * The page's side of a port to a plugin's part: JSON-RPC 2.0. What comes through it is a claim: parsed, bounded, shown as text.
 *
 * | from the part | |
 * |---|---|
 * | `ready` | the first context is sent |
 * | `api { method, path, body }` | `{ status, body }`, for permitted requests |
 * | `resize { height }` | the frame's height |
 * | `navigate { to }` | a page of this server |
 * | `toast { text }` | a short word at the bottom |
 *
 * To the part goes `context`.
 */
import * as v from 'valibot';
import { ApiError } from '../api/error.ts';
import { send } from '../api/client.ts';
import { partWords } from '../words.ts';
import { permitted } from './requests.ts';

/** Requests of one part at the same time. */
const MAX_OPEN = 8;
/** Messages of one part within `WINDOW` milliseconds; what comes above it is dropped. */
const MAX_MESSAGES = 200;
const WINDOW = 10_000;
const MAX_BODY = 1 << 20;
const MAX_TOAST = 200;

const Message = v.object({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.number(), v.pipe(v.string(), v.maxLength(100))])),
  method: v.picklist(['ready', 'api', 'resize', 'navigate', 'toast']),
  params: v.optional(v.record(v.string(), v.unknown()), {}),
});

const Height = v.object({ height: v.pipe(v.number(), v.finite(), v.minValue(0)) });
const To = v.object({ to: v.pipe(v.string(), v.maxLength(2_000), v.regex(/^\/(?![/\\])(?!\.galley\/|api\/)/)) });
const Text = v.object({ text: v.pipe(v.string(), v.minLength(1)) });

export interface Context {
  slot: string;
  at: string;
  project: { id: string; slug: string; name: string } | null;
  deployment: { id: string; number: number | null } | null;
  me: { id: string; displayName: string } | null;
  theme: 'light' | 'dark';
  tokens: Record<string, string>;
  locale: string;
}

export interface Host {
  requests: readonly string[];
  project: string | null;
  resize: (height: number) => void;
  navigate: (to: string) => void;
  toast: (text: string) => void;
  /** The part is there and listens. */
  ready: () => void;
}

export interface Opened {
  tell: (context: Context) => void;
  close: () => void;
}

/** Serves a port until it is closed. */
export function serve(port: MessagePort, host: Host): Opened {
  const stop = new AbortController();
  let open = 0;
  let count = 0;
  let since = performance.now();

  const answer = (id: string | number | undefined, rest: { result: unknown } | { error: { code: number; message: string } }): void => {
    if (id !== undefined && !stop.signal.aborted) port.postMessage({ jsonrpc: '2.0', id, ...rest });
  };
  const refuse = (id: string | number | undefined, message: string): void => answer(id, { error: { code: -32_000, message } });

  const api = async (id: string | number | undefined, { method, path, body }: Record<string, unknown>): Promise<void> => {
    const wanted = permitted(host.requests, method, path, host.project);
    if (!wanted) return refuse(id, partWords.notPermitted(String(method).slice(0, 10), String(path).slice(0, 200)));
    if (body !== undefined && (JSON.stringify(body) ?? '').length > MAX_BODY) return refuse(id, partWords.tooLarge);
    if (open >= MAX_OPEN) return refuse(id, partWords.tooMany);
    open += 1;
    try {
      answer(id, { result: await fetched(wanted, body, stop.signal) });
    } catch (error) {
      refuse(id, error instanceof Error ? error.message : String(error));
    } finally {
      open -= 1;
    }
  };

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const now = performance.now();
    if (now - since > WINDOW) [since, count] = [now, 0];
    count += 1;
    if (count > MAX_MESSAGES) return;
    const parsed = v.safeParse(Message, data);
    if (!parsed.success) return;
    const { id, method, params } = parsed.output;
    switch (method) {
      case 'ready':
        return host.ready();
      case 'api':
        return void api(id, params);
      case 'resize':
        return given(Height, params, ({ height }) => host.resize(height));
      case 'navigate':
        return given(To, params, ({ to }) => host.navigate(to));
      case 'toast':
        return given(Text, params, ({ text }) => host.toast(text.slice(0, MAX_TOAST)));
    }
  };
  return {
    tell: (context) => port.postMessage({ jsonrpc: '2.0', method: 'context', params: context }),
    close: () => {
      stop.abort();
      port.close();
    },
  };
}

function given<S extends v.GenericSchema>(schema: S, params: unknown, use: (output: v.InferOutput<S>) => void): void {
  const parsed = v.safeParse(schema, params);
  if (parsed.success) use(parsed.output);
}

/** The answer as the part gets it: refusals of the server are answers, too. */
async function fetched({ method, path }: { method: NonNullable<Parameters<typeof send>[1]>['method']; path: string }, body: unknown, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
  try {
    const response = await send(path, { ...(method === undefined ? {} : { method }), ...(body === undefined ? {} : { body }), signal });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, body: text === '' ? null : isJson ? JSON.parse(text) : text };
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return { status: error.status, body: error.body ?? { error: error.reason } };
    throw error;
  }
}
