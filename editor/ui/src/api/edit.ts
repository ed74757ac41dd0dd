/** `/api/editor/edit`, undo, redo, history. */
import * as v from 'valibot';
import type { ComponentUse } from './components.ts';

export type Place = 'before' | 'after' | 'first' | 'last';

/** What is done to an element. */
export type Operation =
  | { kind: 'text'; text: string; run?: number }
  | { kind: 'attribute'; name: string; value: string | null }
  | { kind: 'picture'; name: string; path: string }
  | { kind: 'style'; property: string; value: string | null }
  | { kind: 'class'; add: string[]; remove: string[] }
  | { kind: 'insert'; place: Place; markup: string }
  | { kind: 'insert'; place: Place; use: ComponentUse }
  | { kind: 'move'; to: string; place: Place }
  | { kind: 'duplicate' }
  | { kind: 'delete' }
  | { kind: 'detach' }
  | { kind: 'swap'; component: string; from?: string; props: Record<string, string> };

/** One edit as it is sent. Answers to `choice-needed` are added under the option's own name. */
export type EditRequest = Operation & {
  src: string;
  sourceHash?: string;
  branch?: 'then' | 'else';
  scope?: 'item' | 'all';
  item?: number;
  usage?: string;
  at?: string;
  /** What the page showed before: tells several texts apart. */
  before?: string;
  /** The Tailwind variant a style is for, as `md`. */
  variant?: string;
  /** A style whose declaration holds on a condition: under this condition, or always. */
  when?: 'now' | 'always';
  /** The page as it is shown: conditional styles hold in it or not. */
  width?: number;
  holds?: Record<string, boolean>;
};

const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
const DiffSchema = v.object({ path: v.string(), diff: v.optional(v.nullable(v.string()), '') });
export type FileDiff = v.InferOutput<typeof DiffSchema>;
export const DiffsSchema = v.object({ files: v.array(DiffSchema) });

/** `editId` is null when the edit changed nothing. */
export const EditedSchema = v.object({
  editId: v.nullable(id),
  files: v.array(DiffSchema),
  src: v.optional(v.nullable(v.string()), null),
  /** What is worth knowing of what was done, in sentences. */
  notes: v.optional(v.array(v.string()), []),
});
export type Edited = v.InferOutput<typeof EditedSchema>;

/** Undo and redo: the step they took. */
export const SteppedSchema = v.object({ editId: v.optional(v.nullable(id), null), files: v.array(DiffSchema) });

const EntrySchema = v.object({
  editId: id,
  at: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  title: v.string(),
  files: v.optional(v.array(v.pipe(v.union([v.string(), v.object({ path: v.string() })]), v.transform((file) => (typeof file === 'string' ? file : file.path)))), []),
  undone: v.optional(v.boolean(), false),
  skipped: v.optional(v.boolean(), false),
  /** The model that did it. */
  by: v.exactOptional(v.nullable(v.object({ model: v.optional(v.nullable(v.string()), '') }))),
});
export const HistorySchema = v.object({
  entries: v.array(EntrySchema),
  canUndo: v.optional(v.boolean(), false),
  canRedo: v.optional(v.boolean(), false),
});
export type History = v.InferOutput<typeof HistorySchema>;
