export function Swatch({ value }: { value: string }) {
  return (
    <span className="swatch" aria-hidden>
      <span style={{ background: value }} />
    </span>
  );
}
