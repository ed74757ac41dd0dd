import { Window } from '@kit/Window.tsx';
import { useEffect, useState } from 'react';
import { useEditor } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** What an edit is about, before and after it; either opens both larger. A picture that is gone leaves no place: the diff says what changed. */
export function Pictures({ title, before, after }: { title: string; before: string | null; after: string | null }) {
  const [large, setLarge] = useState(false);
  const sides = [
    { name: messages.pictureBefore, shown: usePicture(before) },
    { name: messages.pictureAfter, shown: usePicture(after) },
  ];
  const seen = sides.flatMap(({ name, shown }) => (shown === null ? [] : [{ name, shown }]));
  if (seen.length === 0) return null;
  return (
    <>
      <div className="before-after">
        {seen.map(({ name, shown }) => (
          <figure key={name}>
            <button type="button" title={messages.largerPictures} onClick={() => setLarge(true)}>
              <img src={shown} alt={messages.pictureOf(name, title)} />
            </button>
            <figcaption className="meta">{name}</figcaption>
          </figure>
        ))}
      </div>
      {large && (
        <Window title={messages.picturesOf(title)} wide onClose={() => setLarge(false)}>
          <div className="before-after large">
            {seen.map(({ name, shown }) => (
              <figure key={name}>
                <img src={shown} alt={messages.pictureOf(name, title)} />
                <figcaption className="meta">{name}</figcaption>
              </figure>
            ))}
          </div>
        </Window>
      )}
    </>
  );
}

/** The address of a picture in this page. It is asked for as everything is: an `img` by itself sends no origin. */
function usePicture(address: string | null): string | null {
  const editor = useEditor();
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (address === null) return undefined;
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
    load().catch(() => undefined);
    return () => {
      stop.abort();
      setShown(null);
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [editor, address]);
  return shown;
}
