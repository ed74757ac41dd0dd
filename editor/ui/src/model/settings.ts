/** Settings as people type them. */
import type { Setting } from '../api/project.ts';

type Kind = Setting['kind'];

export interface SettingGroup {
  name: string;
  settings: Setting[];
}

/** By the beginning of their keys, in the order they are shown; what begins otherwise stands at the end. */
const GROUPS: readonly (readonly [name: string, keys: RegExp])[] = [
  ['The interface', /^editor\./],
  ['Edits of components', /^lanes\./],
  ['Dev servers', /^hosts\./],
  ['Backups', /^retention\./],
  ['Folders and libraries', /^(?:readRoots|designSystems)$/],
  ['The linked project', /^(?:version|project.*|platformBaseUrl)$/],
];
const OTHERS = 'More';

/** The settings that match what is sought, in groups. What does nothing yet is shown only where a file sets it. */
export function settingGroups(settings: readonly Setting[], sought: string): SettingGroup[] {
  const words = sought.toLowerCase().split(/\s+/);
  const shown = settings.filter(({ works, isSet, problem }) => works || isSet || problem !== null);
  const groupOf = (key: string): string => GROUPS.find(([, keys]) => keys.test(key))?.[0] ?? OTHERS;
  return [...GROUPS.map(([name]) => name), OTHERS].flatMap((name) => {
    const found = shown.filter(({ key, description }) => groupOf(key) === name && words.every((word) => `${name} ${key} ${description}`.toLowerCase().includes(word)));
    return found.length === 0 ? [] : [{ name, settings: found }];
  });
}

/** Texts stand one below the other; what has keys of its own is JSON. Nothing is an empty field. */
export function shownSetting(kind: Kind, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'texts' && Array.isArray(value)) return value.join('\n');
  if (typeof value === 'string') return value;
  const empty = Object.keys(value as object).length === 0;
  return typeof value === 'object' ? JSON.stringify(value, null, empty ? 0 : 2) : String(value);
}

/** What was typed, as the program takes it; an empty field is the default (`null`). */
export function readSetting(kind: Kind, typed: string): { ok: true; value: unknown } | { ok: false; why: string } {
  const text = typed.trim();
  if (text === '') return { ok: true, value: null };
  switch (kind) {
    case 'number': {
      const number = Number(text.replace(',', '.'));
      return Number.isFinite(number) ? { ok: true, value: number } : { ok: false, why: `“${text}” is no number.` };
    }
    case 'texts':
      return { ok: true, value: text.split('\n').map((line) => line.trim()).filter((line) => line !== '') };
    case 'list':
    case 'object':
      try {
        return { ok: true, value: JSON.parse(text) as unknown };
      } catch (error) {
        return { ok: false, why: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` };
      }
    default:
      return { ok: true, value: text };
  }
}
