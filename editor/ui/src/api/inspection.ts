/** `/api/editor/inspect`, `/api/editor/tree`, `/api/editor/classes`. */
import * as v from 'valibot';
import { ChoiceSchema } from './result.ts';

const text = v.optional(v.nullable(v.string()), null);
const flag = v.optional(v.boolean(), false);
const choices = v.optional(v.nullable(v.array(ChoiceSchema)), []);

const Attribute = v.object({
  name: v.string(),
  value: text,
  form: v.picklist(['literal', 'expression', 'bound', 'spread', 'flag']),
  editable: v.boolean(),
  why: text,
});

const Run = v.object({
  run: v.number(),
  text: v.string(),
  form: v.picklist(['plain', 'literal', 'branch', 'item', 'translation', 'prop', 'children', 'expression']),
  editable: v.boolean(),
  why: text,
  at: text,
  shared: v.optional(v.nullable(v.number()), 1),
  choices,
});

/** An at-rule around a declaration. `holds` is null where the program cannot tell; `ask` says that the page can. */
const Condition = v.object({ text: v.string(), words: v.string(), holds: v.optional(v.nullable(v.boolean()), null), ask: flag });

/** `shared` counts the places of the source whose elements have the declaration; `wins` says whether it decides in the page. */
const Style = v.object({
  property: v.string(),
  value: v.string(),
  from: v.picklist(['inline', 'object', 'module', 'scoped', 'stylesheet']),
  at: text,
  editable: v.boolean(),
  why: text,
  shared: v.optional(v.nullable(v.number()), 1),
  conditions: v.optional(v.array(Condition), []),
  wins: v.optional(v.nullable(v.boolean()), null),
  /** The variables that the value is made of. */
  tokens: v.optional(v.array(v.string()), []),
});

/** What one of Tailwind's utilities in the class list sets: `among` along with other properties. */
const UtilitySet = v.object({
  class: v.string(),
  variants: v.array(v.string()),
  properties: v.array(v.string()),
  among: v.array(v.string()),
  /** The theme's class, or the variables in its brackets; none for a value of its own. */
  tokens: v.optional(v.array(v.string()), []),
});

const Usage = v.object({
  src: v.string(),
  component: v.string(),
  path: v.string(),
  text: v.optional(v.nullable(v.string()), ''),
  likely: flag,
});

const able = v.optional(v.union([v.literal(true), v.string()]), 'The program did not say whether this can be done.');

export const InspectionSchema = v.object({
  src: v.string(),
  path: v.string(),
  hash: v.string(),
  /** Why the file may not be written. */
  readOnly: v.optional(v.nullable(v.string()), null),
  language: v.picklist(['jsx', 'vue']),
  tag: v.string(),
  component: text,
  isComponent: flag,
  repeated: flag,
  conditional: flag,
  attributes: v.array(Attribute),
  classes: v.object({
    list: v.array(v.string()),
    editable: v.boolean(),
    why: text,
    form: v.picklist(['literal', 'call', 'template', 'module', 'object', 'none']),
  }),
  /** Null without Tailwind. `fresh` says that a style nothing declares yet becomes a class. */
  utilities: v.optional(v.nullable(v.object({ fresh: v.boolean(), set: v.array(UtilitySet) })), null),
  text: v.array(Run),
  styles: v.array(Style),
  usages: v.array(Usage),
  can: v.object({
    text: able,
    attribute: able,
    style: able,
    class: able,
    insert: able,
    move: able,
    duplicate: able,
    delete: able,
    detach: able,
    swap: able,
  }),
});

export type Inspection = v.InferOutput<typeof InspectionSchema>;
export type Run = v.InferOutput<typeof Run>;
export type StyleEntry = v.InferOutput<typeof Style>;
export type Attribute = v.InferOutput<typeof Attribute>;
export type UtilitySet = v.InferOutput<typeof UtilitySet>;
export type Usage = v.InferOutput<typeof Usage>;
export type Ability = keyof Inspection['can'];

/** An element of a source file, as it is written there. */
export interface OutlineNode {
  src: string;
  tag: string;
  component: boolean | string | null;
  text: string;
  children: OutlineNode[];
}

const OutlineNodeSchema: v.GenericSchema<unknown, OutlineNode> = v.object({
  src: v.string(),
  tag: v.string(),
  component: v.optional(v.nullable(v.union([v.boolean(), v.string()])), null),
  text: v.pipe(v.optional(v.nullable(v.string()), ''), v.transform((value) => value ?? '')),
  children: v.lazy(() => v.array(OutlineNodeSchema)),
});

export const OutlineSchema = v.object({ path: v.string(), hash: v.optional(v.string(), ''), nodes: v.array(OutlineNodeSchema) });
export type Outline = v.InferOutput<typeof OutlineSchema>;

const SourceFile = v.object({
  path: v.string(),
  elements: v.optional(v.number(), 0),
});
export const FilesSchema = v.object({ files: v.array(SourceFile) });
export type SourceFile = v.InferOutput<typeof SourceFile>;

/** `sets` is the property a utility is for. */
const ClassInfo = v.object({
  name: v.string(),
  from: v.optional(v.nullable(v.string()), ''),
  preview: v.optional(v.nullable(v.string()), ''),
  sets: text,
});
export type ClassInfo = v.InferOutput<typeof ClassInfo>;

/** From how many pixels a variant like `md` holds. */
const Breakpoint = v.object({ name: v.string(), width: v.number() });
export type Breakpoint = v.InferOutput<typeof Breakpoint>;

/** A custom property of the whole page; `standsFor` is the value behind another variable. */
const Token = v.object({ name: v.string(), value: v.string(), standsFor: v.string(), at: v.string() });
export type Token = v.InferOutput<typeof Token>;

export const ClassesSchema = v.object({ classes: v.array(ClassInfo), breakpoints: v.optional(v.array(Breakpoint), []), tokens: v.optional(v.array(Token), []) });
export type Classes = v.InferOutput<typeof ClassesSchema>;
