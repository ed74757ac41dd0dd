/** `/api/editor/components`: the components of the project and of libraries. */
import * as v from 'valibot';

const named = { name: v.string(), required: v.optional(v.boolean(), false), type: v.optional(v.string(), '') };

const PropertySchema = v.variant('kind', [
  v.object({ ...named, kind: v.picklist(['text', 'number', 'boolean', 'code']) }),
  v.object({ ...named, kind: v.literal('choice'), options: v.array(v.string()) }),
]);
export type Property = v.InferOutput<typeof PropertySchema>;

const ComponentSchema = v.object({
  name: v.string(),
  /** The file that exports it; empty for one of a library. */
  path: v.string(),
  /** What one of a library is imported from. */
  package: v.optional(v.string(), ''),
  export: v.string(),
  props: v.array(PropertySchema),
  /** It takes more than those, as the attributes of an element. */
  more: v.optional(v.boolean(), false),
  /** Whether it certainly shows what stands between its tags. */
  content: v.optional(v.boolean(), false),
  /** An example of the use of one of a library; empty without one. */
  hint: v.optional(v.string(), ''),
  /** Why it cannot be used at the place that was asked for. */
  why: v.optional(v.nullable(v.string()), null),
});
export type Component = v.InferOutput<typeof ComponentSchema>;
export const ComponentsSchema = v.object({ components: v.array(ComponentSchema) });

/** The use of a component, as an insert brings it. */
export interface ComponentUse {
  path?: string;
  package?: string;
  export: string;
  props: Record<string, string | number | boolean>;
  text?: string;
}
