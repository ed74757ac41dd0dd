/** Finding classes while somebody types. */
import type { ClassInfo } from '../api/inspection.ts';

/**
 * Classes for what was typed, the best first: beginnings before beginnings of parts before anything else. Variants
 * (`hover:`, `md:`) are kept in front of what they apply to.
 */
export function matching(classes: readonly ClassInfo[], typed: string, most: number): ClassInfo[] {
  const last = typed.trim().split(/\s+/).at(-1) ?? '';
  const [, variants = '', word = ''] = /^((?:[^:\s[\]]+:)*)(.*)$/.exec(last.toLowerCase()) ?? [];
  if (word === '' && variants === '') return classes.slice(0, most);
  const ranked: { each: ClassInfo; rank: number }[] = [];
  for (const each of classes) {
    const rank = rankOf(each.name.toLowerCase(), word);
    if (rank >= 0) ranked.push({ each, rank });
  }
  ranked.sort((a, b) => a.rank - b.rank || a.each.name.length - b.each.name.length || (a.each.name < b.each.name ? -1 : 1));
  return ranked.slice(0, most).map(({ each }) => (variants === '' ? each : { ...each, name: variants + each.name }));
}

function rankOf(name: string, word: string): number {
  if (name === word) return 0;
  if (name.startsWith(word)) return 1;
  if (name.includes(`-${word}`)) return 2;
  if (name.includes(word)) return 3;
  // `tsm` finds `text-sm`.
  let at = 0;
  for (const letter of name) if (letter === word[at]) at++;
  return word.length > 1 && at === word.length ? 4 : -1;
}
