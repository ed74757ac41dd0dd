/** Components of the project and of libraries: which can be put at a place, and what is written to use one. */
import { ComponentsSchema, type Component, type ComponentUse, type Property } from '../api/components.ts';
import type { Result } from '../api/result.ts';
import type { Editor } from './editor.ts';

/** What was chosen for a property so far; a flag is a boolean, everything else what was typed. */
export type Given = Record<string, string | boolean>;

export async function componentsFor({ call }: Editor, src: string): Promise<Result<Component[]>> {
  const result = await call(ComponentsSchema, '/api/editor/components', { query: { src } });
  return result.ok ? { ok: true, value: result.value.components } : result;
}

/** Those that a search finds by name, file or package; what can be used comes first, and of that the project's own. */
export function found(components: readonly Component[], search: string): Component[] {
  const wanted = search.trim().toLowerCase();
  const fitting = components.filter((one) => one.name.toLowerCase().includes(wanted) || origin(one).toLowerCase().includes(wanted));
  const rank = (one: Component): number => 2 * Number(obstacle(one) !== null) + Number(one.package !== '');
  return [...fitting].sort((one, other) => rank(one) - rank(other));
}

/** The file of one of the project's own, or the package. */
export const origin = ({ path, package: library }: Component): string => library || path;

/** Why a component cannot be inserted from here. */
export function obstacle({ name, props, why }: Component): string | null {
  if (why !== null) return why;
  const code = props.find(({ kind, required }) => required && kind === 'code');
  return code === undefined ? null : `${name} has to be given “${code.name}” (${code.type}), which only code can make: use it in the code.`;
}

/** What an insert brings; or the name of a property whose value is missing or is none. */
export function useOf(component: Component, given: Given, text: string): { use: ComponentUse } | { missing: string } {
  const props: ComponentUse['props'] = {};
  for (const property of component.props) {
    const value = valueOf(property, given[property.name]);
    if (value === 'wrong' || (value === null && property.required && property.kind !== 'boolean')) return { missing: property.name };
    if (value !== null) props[property.name] = value.is;
    else if (property.required && property.kind === 'boolean') props[property.name] = false;
  }
  const content = component.content && text !== '' ? { text } : {};
  const from = component.package === '' ? { path: component.path } : { package: component.package };
  return { use: { ...from, export: component.export, props, ...content } };
}

function valueOf({ kind }: Property, given: string | boolean | undefined): { is: string | number | boolean } | 'wrong' | null {
  if (given === undefined || given === '' || kind === 'code') return null;
  if (typeof given === 'boolean') return { is: given };
  if (kind !== 'number') return { is: given };
  const number = Number(given);
  return given.trim() === '' ? null : Number.isFinite(number) ? { is: number } : 'wrong';
}
