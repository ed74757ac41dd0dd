/** `/api/editor/state` and the events. */
import * as v from 'valibot';
import { ProgressSchema, type Progress } from './canvas.ts';
import { LaneEventSchema, type LaneEvent } from './models.ts';
import { ReadEventSchema, type ReadEvent } from './reading.ts';

const Features = v.object({
  codeView: v.optional(v.boolean(), false),
  notes: v.optional(v.boolean(), false),
  canvas: v.optional(v.boolean(), false),
  vscodeLink: v.optional(v.boolean(), false),
  detach: v.optional(v.boolean(), false),
  swap: v.optional(v.boolean(), false),
  detachedSessions: v.optional(v.boolean(), true),
  reloadBackstop: v.optional(v.boolean(), true),
});

const HostStatus = v.picklist(['starting', 'running', 'failed', 'attached']);

/** The dev server, as the designer is told of it. */
const Host = v.object({
  kind: v.pipe(
    v.nullable(v.string()),
    v.transform((kind) => kind ?? ''),
  ),
  status: HostStatus,
  words: v.optional(v.nullable(v.string()), ''),
  log: v.optional(v.array(v.string()), []),
});

export const SessionSchema = v.object({
  root: v.string(),
  name: v.string(),
  framework: v.picklist(['react', 'vue']),
  host: Host,
  previewUrl: v.nullable(v.string()),
  nonce: v.string(),
  branch: v.nullable(v.string()),
  features: Features,
  warnings: v.optional(v.array(v.object({ code: v.string(), words: v.string() })), []),
  unstamped: v.optional(v.array(v.object({ path: v.string(), why: v.string() })), []),
  version: v.optional(v.string(), ''),
});
export type Session = v.InferOutput<typeof SessionSchema>;

/** An event, by its name. Events the interface does not know are left out. */
export type ServerEvent =
  | { event: 'state'; data: Session }
  | { event: 'edited'; data: { editId: string; files: { path: string }[] } }
  | { event: 'files'; data: { paths: string[] } }
  | { event: 'host'; data: { status: Session['host']['status']; words: string } }
  | { event: 'log'; data: { line: string } }
  | { event: 'lane'; data: LaneEvent }
  | { event: 'read'; data: ReadEvent }
  | { event: 'models' }
  | { event: 'chat'; data: { session: string; status: string } }
  | { event: 'canvas'; data: Progress }
  | { event: 'git' }
  | { event: 'comments' };

const Schemas = {
  state: SessionSchema,
  edited: v.object({
    editId: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
    files: v.array(v.pipe(v.union([v.string(), v.object({ path: v.string() })]), v.transform((file) => (typeof file === 'string' ? { path: file } : file)))),
  }),
  files: v.object({ paths: v.array(v.string()) }),
  host: v.object({ status: HostStatus, words: v.optional(v.nullable(v.string()), '') }),
  log: v.object({ line: v.string() }),
  lane: LaneEventSchema,
  read: ReadEventSchema,
  chat: v.object({ session: v.string(), status: v.optional(v.string(), '') }),
  canvas: ProgressSchema,
};

export function parseEvent(name: string, text: string): ServerEvent | undefined {
  if (name === 'git' || name === 'comments' || name === 'models') return { event: name };
  if (!Object.hasOwn(Schemas, name)) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(Schemas[name as keyof typeof Schemas], json);
  // The name decides the schema, which TypeScript cannot follow through the table.
  return parsed.success ? ({ event: name, data: parsed.output } as ServerEvent) : undefined;
}
