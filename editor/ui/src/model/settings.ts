/** Settings as people type them. */
import type { Setting } from '../api/project.ts';

type Kind = Setting['kind'];

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
