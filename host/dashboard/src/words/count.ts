/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${new Intl.NumberFormat('en').format(number)} ${noun}${number === 1 ? '' : 's'}`;
}
