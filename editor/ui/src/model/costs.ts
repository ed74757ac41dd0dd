/** What models cost, for people. */
import { messages } from '../messages.ts';

/** `$0.012`, `at most $0.012` where a price is not known, `$0.012 of $5.00` with a ceiling. */
export function costOf({ usd, sure }: { usd: number; sure: boolean }, ceiling: number | null = null): string {
  const spent = sure ? dollars(usd) : messages.atMost(dollars(usd));
  return ceiling === null ? spent : messages.ofCeiling(spent, dollars(ceiling));
}

/** Small sums would all read alike with two digits. */
function dollars(usd: number): string {
  if (usd > 0 && usd < 0.0005) return '< $0.001';
  return `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
}
