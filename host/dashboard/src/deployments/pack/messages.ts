/** What page and packing thread say to each other. */
import type { Packed, Progress } from './archive.ts';
import type { PackEntry } from './plan.ts';

export type Task = { do: 'pack'; entries: PackEntry[] } | { do: 'list'; archive: Blob } | { do: 'repack'; archive: Blob; root: string };

export type Answer = { is: 'progress'; progress: Progress } | { is: 'packed'; packed: Packed } | { is: 'listed'; paths: string[] } | { is: 'failed'; reason: string };
