import { useEffect, useState } from 'react';
import { useEditor } from '../../react/use.ts';

/** A picture that the program keeps. Asked for as everything is: an `img` by itself sends no origin. */
export function Picture({ address, name }: { address: string; name: string }) {
  const editor = useEditor();
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let made: string | null = null;
    const load = async (): Promise<void> => {
      const response = await editor.world.send(address, { method: 'POST', signal: stop.signal });
      if (!response.ok) return;
      const picture = await response.blob();
      if (stop.signal.aborted || !picture.type.startsWith('image/')) return;
      made = URL.createObjectURL(picture);
      setShown(made);
    };
    // A picture that is gone leaves its place empty: the diff says what changed.
    load().catch(() => undefined);
    return () => {
      stop.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [editor, address]);
  return (
    <figure>
      {shown !== null && <img src={shown} alt={name} />}
      <figcaption className="meta">{name}</figcaption>
    </figure>
  );
}
