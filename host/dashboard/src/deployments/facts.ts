/** How a deployment is called and measured. */
import type { Deployment } from '../api/deployments.ts';
import { count } from '../words/count.ts';
import { deploymentWords as words } from '../words/deployments.ts';

export const nameOf = (deployment: Deployment): string => words.number(deployment.number, deployment.deploymentId);

/** `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  const [unit, divisor] = bytes < 1_000_000 ? (['kilobyte', 1000] as const) : (['megabyte', 1_000_000] as const);
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: divisor === 1_000_000 ? 1 : 0 }).format(bytes / divisor);
}

/** `1 min 12 sec`, from two times. */
export function duration(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  const part = (value: number, unit: string): string => new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  return seconds < 60 ? part(seconds, 'second') : `${part(Math.floor(seconds / 60), 'minute')} ${part(seconds % 60, 'second')}`;
}

/** Where a deployment is opened: a tab or a frame of its own version. */
export const openAddress = (id: string, to = '/'): string => `/open/d-${encodeURIComponent(id)}?to=${encodeURIComponent(to)}`;
export const reviewAddress = (slug: string, deployment: Deployment): string => `/projects/${slug}${deployment.active ? '' : `?at=${encodeURIComponent(deployment.deploymentId)}`}`;
export const compareAddress = (slug: string, a: string, b: string): string => `/projects/${slug}/compare/${encodeURIComponent(a)}/${encodeURIComponent(b)}`;
