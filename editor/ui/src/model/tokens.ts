/**
 * A token stays a token unless told otherwise: where a variable or a class of the theme decides a property, a value of its own is
 * written only when somebody says so.
 */
import type { ClassInfo, Inspection, Token } from '../api/inspection.ts';
import { refusal, type Choice } from '../api/result.ts';
import { messages } from '../messages.ts';
import { parseColour, type Rgba } from './colours.ts';
import { deciding } from './deciding.ts';
import type { Editor } from './editor.ts';
import { settingOf, underVariant, valueOf } from './utilities.ts';

/** A value that stands for something: what is written for it, and what it is. */
export interface Candidate {
  written: string;
  value: string;
}

/** What the property follows today, by the inspection: `var(--ink)` or `text-brand`; null for a value of its own. */
export function tokenOf(facts: Inspection, property: string, variant: string | null, asClass: boolean): string | null {
  if (asClass) {
    const setting = settingOf(facts.utilities?.set ?? [], property, variant);
    const tokens = facts.utilities?.set.find((each) => each.class === setting?.class)?.tokens ?? [];
    const [first] = tokens;
    if (first === undefined || setting === null) return null;
    return first.startsWith('--') ? `var(${first})` : underVariant(first, variant);
  }
  const entry = deciding(facts.styles, property);
  const [first] = entry?.tokens ?? [];
  return first === undefined ? null : `var(${first})`;
}

/** A colour or a length as such. Keywords, and what is made of variables, are none. */
export function isRaw(value: string): boolean {
  return !value.includes('var(') && /^(?:#[0-9a-f]|(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(|[-+]?\.?\d)/i.test(value.trim());
}

/** What could be written instead: the theme's classes for a property, else the project's variables. */
export function candidates(scale: readonly ClassInfo[], tokens: readonly Token[], asClass: boolean): Candidate[] {
  if (asClass && scale.length > 0) return scale.map((each) => ({ written: each.name, value: valueOf(each) }));
  return tokens.map(({ name, standsFor }) => ({ written: `var(${name})`, value: standsFor }));
}

/** The candidate whose value is the nearest of the same kind; of equally near ones the first of the family `like`. */
export function nearest(value: string, all: readonly Candidate[], like: string): Candidate | null {
  const family = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('-')));
  const far = (candidate: Candidate): number => distance(value, candidate.value);
  const near = all.filter((candidate) => candidate.written !== like && Number.isFinite(far(candidate)));
  const rank = (candidate: Candidate): number => (family(candidate.written) === family(like) ? 0 : 1);
  return near.sort((one, other) => far(one) - far(other) || rank(one) - rank(other))[0] ?? null;
}

/**
 * What is to be written for a value. Where it would take a token's place somebody is asked: the nearest token, or the value as it is.
 * A token that stands for this very value stays. Null when it is called off.
 */
export async function keepToken(editor: Editor, property: string, value: string, token: string | null, all: readonly Candidate[]): Promise<string | null> {
  if (token === null || !isRaw(value)) return value;
  // Candidates have no variant, as `md:` is one.
  const present = all.find(({ written }) => written === token.slice(token.lastIndexOf(':') + 1));
  if (present && distance(value, present.value) === 0) return token;
  const instead = nearest(value, all, token);
  const choice = await ask(editor, property, value, token, instead);
  if (choice === null) return null;
  return choice.value === 'token' && instead !== null ? instead.written : value;
}

function ask({ store }: Editor, property: string, value: string, token: string, instead: Candidate | null): Promise<Choice | null> {
  const raw: Choice = { option: 'token', value: 'raw', label: messages.useRaw(value) };
  const choices: Choice[] = instead === null ? [raw] : [{ option: 'token', value: 'token', label: messages.useToken(instead.written, instead.value) }, raw];
  return new Promise((resolve) => {
    const choose = (choice: Choice | null): void => {
      store.setState({ choosing: null, marked: null });
      resolve(choice);
    };
    store.setState({ choosing: { title: messages.setNamed(property), kind: 'token', property: null, refusal: { ...refusal('token', messages.replacesToken(property, token, value)), choices }, choose } });
  });
}

/** How far two values are apart; infinite for values of different kinds. */
function distance(one: string, other: string): number {
  const [a, b] = [colourOf(one), colourOf(other)];
  if (a && b) return Math.hypot(a.r - b.r, a.g - b.g, a.b - b.b, (a.a - b.a) * 255);
  if (a || b) return Infinity;
  const [c, d] = [pixels(one), pixels(other)];
  return c !== null && d !== null && c.unit === d.unit ? Math.abs(c.number - d.number) : Infinity;
}

function pixels(text: string): { number: number; unit: string } | null {
  const [, number, unit = ''] = /^([-+]?\d*\.?\d+)([a-z%]*)$/i.exec(text.trim()) ?? [];
  if (number === undefined) return null;
  const rem = unit === 'rem' || unit === 'em';
  return { number: Number(number) * (rem ? 16 : 1), unit: rem || (unit === '' && Number(number) === 0) ? 'px' : unit };
}

/** A colour in whatever spelling: the browser reads those that the parser does not. */
function colourOf(text: string): Rgba | null {
  const colour = parseColour(text);
  if (colour || typeof document === 'undefined' || !/\(/.test(text) || !CSS.supports('color', text)) return colour;
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
  return { r, g, b, a: a / 255 };
}
