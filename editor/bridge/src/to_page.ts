/** Reading what the interface says: checked, although only the interface knows the nonce. */
import type { Place, Point, ToPage } from './editor_messages.ts';
import { fields, number, text } from './parse.ts';
import { parsePins } from './to_reviewed.ts';

/** The message in `data`, when it carries the run's nonce and is one this bridge knows. */
export function parseToPage(data: unknown, nonce: string): ToPage | undefined {
  const message = fields(data);
  if (message['nonce'] !== nonce) return undefined;
  const { type, mode, property, value, to } = message;
  const named = { ...optional('id', number(message['id'])), ...optional('src', text(message['src'])), ...optional('index', number(message['index'])) };
  const id = number(message['id']);
  const edit = text(message['edit']);
  switch (type) {
    case 'editor:mode':
      return mode === 'select' || mode === 'comment' || mode === 'use' ? { type, mode, freeze: message['freeze'] === true } : undefined;
    case 'editor:select':
      return { type, ...named, ...optional('from', number(message['from'])), scroll: message['scroll'] === true, quiet: message['quiet'] === true };
    case 'editor:hover':
      return { type, ...named };
    case 'editor:follow':
      return named.src === undefined ? undefined : { type, src: named.src, ...optional('to', text(to)) };
    case 'editor:edit-text':
      if (id === undefined || edit === undefined) return undefined;
      return { type, id, run: number(message['run']) ?? null, at: point(message['at']), edit };
    case 'editor:no-edit':
      return id === undefined ? undefined : { type, id };
    case 'editor:drag': {
      const src = text(message['src']);
      return src === undefined || edit === undefined ? undefined : { type, src, edit };
    }
    case 'editor:preview':
      if (typeof property !== 'string') return undefined;
      return { type, ...optional('id', id), property, value: text(value) ?? null };
    case 'editor:mark':
      return Array.isArray(message['places']) ? { type, places: message['places'].flatMap(place), ...optional('property', text(property)) } : undefined;
    case 'editor:keep':
      return { type };
    case 'editor:before': {
      const { show } = message;
      return { type, show: show === 'edit' || show === 'start' ? show : null };
    }
    case 'editor:structure':
      return { type };
    case 'editor:conditions': {
      const conditions: unknown = message['conditions'];
      if (id === undefined || !Array.isArray(conditions)) return undefined;
      return { type, id, conditions: conditions.filter((each) => typeof each === 'string') };
    }
    case 'editor:pins': {
      const pins = parsePins(message['pins']);
      return pins && { type, pins };
    }
    case 'editor:read': {
      const name = text(message['id']);
      return name === undefined ? undefined : { type, id: name, ask: message['ask'] };
    }
    case 'editor:go':
      return typeof to === 'string' ? { type, to } : undefined;
    default:
      return undefined;
  }
}

function place(data: unknown): Place[] {
  const { src, index } = fields(data);
  return typeof src === 'string' ? [{ src, ...optional('index', number(index)) }] : [];
}

function point(data: unknown): Point | null {
  const { x, y } = fields(data);
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

function optional<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [key in K]?: V };
}
