/** One or two letters for somebody. */
export function Initials({ name }: { name: string }) {
  const letters = name.split(/\s+/).filter((word) => word !== '').map((word) => [...word][0] ?? '');
  const shown = letters.length > 1 ? `${letters[0]}${letters[letters.length - 1]}` : (letters[0] ?? '?');
  return (
    <span className="initials" aria-hidden>
      {shown.toUpperCase()}
    </span>
  );
}
