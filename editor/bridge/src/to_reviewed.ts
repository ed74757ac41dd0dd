/** Reading what the review page says. It is checked like anything that arrives from outside: anchors were written by others. */
import type { Evidence } from '../../kit/anchor.ts';
import { fields, number } from './parse.ts';
import { MAX_PINS, type ReviewPin, type ToReviewed } from '../../kit/review.ts';

const MAX_ID = 128;
const MAX_LABEL = 4;
const MAX_WORDS = 200;
const MAX_ADDRESS = 2_000;

const TEXTS = 'tag role name text prefix suffix path label before after parent extent above below classes'.split(' ');
const ATTRIBUTES = 'testid id name href src alt placeholder'.split(' ');

/** The message in `data`, when it is one this bridge knows. */
export function parseToReviewed(data: unknown): ToReviewed | undefined {
  const message = fields(data);
  const { type, mode, theme, to, id } = message;
  const y = number(message['y']);
  const pins = parsePins(message['pins']);
  const isMode = mode === 'comment' || mode === 'use';
  switch (type) {
    case 'review:start':
      return isMode ? { type, mode, theme: theme === 'dark' ? 'dark' : 'light', pins: pins ?? [], keys: message['keys'] === true, scroll: message['scroll'] === true } : undefined;
    case 'review:mode':
      return isMode ? { type, mode, still: message['still'] !== false } : undefined;
    case 'review:pins':
      return pins && { type, pins };
    case 'review:show':
      return id === null || isId(id) ? { type, id, guess: message['guess'] === true } : undefined;
    case 'review:place':
      return isId(id) ? { type, id } : undefined;
    case 'review:scroll':
      return y === undefined ? undefined : { type, y };
    case 'review:go':
      return typeof to === 'string' && to.length <= MAX_ADDRESS ? { type, to } : undefined;
    default:
      return undefined;
  }
}

/** The pins in `data`, at most {@link MAX_PINS}; what is none is left out. */
export function parsePins(data: unknown): ReviewPin[] | undefined {
  return Array.isArray(data) ? data.slice(0, MAX_PINS).flatMap(pin) : undefined;
}

function pin(data: unknown): ReviewPin[] {
  const { id, selector, anchor, page, label, title, status, unread } = fields(data);
  if (!isId(id) || typeof selector !== 'string' || selector.length > MAX_ADDRESS || typeof page !== 'string') return [];
  return [{
    id,
    selector,
    anchor: parseAnchor(anchor),
    page: page.slice(0, MAX_ADDRESS),
    label: words(label, MAX_LABEL),
    title: words(title, MAX_WORDS),
    status: status === 'resolved' || status === 'draft' ? status : 'open',
    unread: unread === true,
  }];
}

/** An anchor as it was stored; null when it is none, or of a version that this bridge does not know. */
export function parseAnchor(data: unknown): Evidence | null {
  const it = fields(data);
  if (it['v'] !== 1 || !it['tag']) return null;
  const point = fields(it['point']);
  return {
    ...texts(it, TEXTS),
    v: 1,
    attrs: texts(it['attrs'], ATTRIBUTES),
    nth: number(it['nth']) ?? 0,
    rival: share(it['rival'], 0),
    likeness: share(it['likeness'], 1),
    point: { x: share(point['x'], 0.5), y: share(point['y'], 0.5) },
  } as unknown as Evidence;
}

function texts(data: unknown, keys: string[]): Record<string, string> {
  const it = fields(data);
  return Object.fromEntries(keys.map((key) => [key, words(it[key], MAX_ADDRESS)]));
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID;
}

function words(value: unknown, most: number): string {
  return typeof value === 'string' ? value.slice(0, most) : '';
}

function share(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : otherwise;
}
