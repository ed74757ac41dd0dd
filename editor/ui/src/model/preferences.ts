/** What one person likes, kept by the browser. Nothing of the prototype. */
import * as v from 'valibot';

/** The first version kept a width that nobody had chosen. */
const KEY = 'editor.preferences.2';

/** Narrower windows are no devices, wider ones no screens; CSS pixels. */
export const MIN_WIDTH = 200;
export const MAX_WIDTH = 4000;
const DESKTOP = 1280;
const Width = v.pipe(v.number(), v.minValue(MIN_WIDTH), v.maxValue(MAX_WIDTH));

const PreferencesSchema = v.object({
  theme: v.fallback(v.picklist(['system', 'light', 'dark']), 'system'),
  /** Shortcuts of one letter can be turned off: they are in the way of speech input. */
  singleKeys: v.fallback(v.boolean(), true),
  left: v.fallback(v.boolean(), true),
  right: v.fallback(v.boolean(), true),
  code: v.fallback(v.boolean(), false),
  /** Width of the page in CSS pixels; null fills what is there. A desktop's to begin with. */
  width: v.fallback(v.nullable(Width), DESKTOP),
  /** Width of the second page beside it; null shows one page. */
  sideWidth: v.fallback(v.nullable(Width), null),
  /** 1 is the real size; null makes the whole width visible. */
  zoom: v.fallback(v.nullable(v.pipe(v.number(), v.minValue(0.1), v.maxValue(4))), null),
  freeze: v.fallback(v.boolean(), true),
  /** Whether a model tries what could not be done for certain. */
  letModelTry: v.fallback(v.picklist(['ask', 'always', 'never']), 'ask'),
  /** Colours that were set, the newest first. */
  recentColours: v.fallback(v.array(v.string()), []),
});

export type Preferences = v.InferOutput<typeof PreferencesSchema>;

export function readPreferences(storage: Pick<Storage, 'getItem'> | null): Preferences {
  let json: unknown = {};
  try {
    json = JSON.parse(storage?.getItem(KEY) ?? '{}');
  } catch {
    // Not ours, or damaged: the defaults stand.
  }
  return v.parse(PreferencesSchema, typeof json === 'object' && json !== null ? withNames(json) : withNames({}));
}

export function writePreferences(storage: Pick<Storage, 'setItem'> | null, preferences: Preferences): void {
  const entries = Object.keys(PreferencesSchema.entries).map((name) => [name, preferences[name as keyof Preferences]]);
  try {
    storage?.setItem(KEY, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // Storage may be full or forbidden; it is a convenience.
  }
}

/** Every key is there, so that each falls back on its own. */
function withNames(json: object): Record<string, unknown> {
  const names = Object.fromEntries(Object.keys(PreferencesSchema.entries).map((name) => [name, undefined]));
  return { ...names, width: DESKTOP, sideWidth: null, zoom: null, ...json };
}
