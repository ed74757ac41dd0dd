/** Filters of the audit log, over the entries read so far. */
import type { AuditEntry } from '../../api/instance.ts';

export interface AuditFilter {
  words: string;
  /** An action, or `''` for all. */
  action: string;
  /** Days, as `2026-11-22`, or `''`. */
  from: string;
  to: string;
}

export const NO_FILTER: AuditFilter = { words: '', action: '', from: '', to: '' };

export function filtered(entries: readonly AuditEntry[], { words, action, from, to }: AuditFilter): AuditEntry[] {
  const wanted = words.trim().toLowerCase();
  const after = from === '' ? -Infinity : new Date(`${from}T00:00:00`).getTime();
  const before = to === '' ? Infinity : new Date(`${to}T23:59:59.999`).getTime();
  return entries.filter((entry) => {
    const at = Date.parse(entry.at);
    return (action === '' || entry.action === action) && at >= after && at <= before && (wanted === '' || text(entry).includes(wanted));
  });
}

/** The actions among the entries, by name. */
export function actionsOf(entries: readonly AuditEntry[]): string[] {
  return [...new Set(entries.map(({ action }) => action))].sort();
}

function text({ actor, action, subject, details }: AuditEntry): string {
  return [actor.email ?? '', actor.kind, action, nameOf(action), subject, JSON.stringify(details)].join(' ').toLowerCase();
}

/** `invite-made` → `invite made`. */
export function nameOf(action: string): string {
  return action.replaceAll('-', ' ').replaceAll('.', ' ');
}

/** The details of an entry as names and values; what is nested stays JSON. */
export function detailsOf(details: Record<string, unknown>): [string, string][] {
  return Object.entries(details).map(([key, value]) => [key, typeof value === 'string' ? value : value === null ? 'none' : JSON.stringify(value)]);
}
