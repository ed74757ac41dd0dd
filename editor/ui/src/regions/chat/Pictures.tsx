import { Window } from '@kit/Window.tsx';
import { useState } from 'react';
import { usePicture } from '../../react/usePicture.ts';
import { messages } from '../../messages.ts';

/** What an edit is about, before and after it; either opens both larger. A picture that is gone leaves no place: the diff says what changed. */
export function Pictures({ title, before, after }: { title: string; before: string | null; after: string | null }) {
  const [large, setLarge] = useState(false);
  const sides = [
    { name: messages.pictureBefore, shown: usePicture(before).url },
    { name: messages.pictureAfter, shown: usePicture(after).url },
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
