/** Whose words these are, as a round sign: the same person always has the same hue. */
export function Initials({ name, uid }: { name: string; uid: string }) {
  const words = name.trim().split(/\s+/u);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '').join('');
  return (
    <span className="face" style={{ '--hue': String(hueOf(uid)) } as React.CSSProperties} aria-hidden>
      {letters.toUpperCase()}
    </span>
  );
}

function hueOf(text: string): number {
  let hash = 7;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}
