import type { ReactNode } from 'react';
import type { Area, Shot } from '../../api/canvas.ts';
import { usePicture } from '../../react/usePicture.ts';
import { messages } from '../../messages.ts';

/** How high a page is taken for until its picture is there, as a share of its width at most. */
const HIGH = 1.6;

/** One picture as large as the canvas shows it. */
export function Sheet({ shot, name, address, again = 0, scale, waiting, area = null, size }: { shot: Shot; name: string; address: string; again?: number; scale: number; waiting: string; area?: Area | null; size?: { width: number; height: number } }) {
  const { url, loading, reason } = usePicture(address, again);
  const height = size?.height ?? Math.min(900, shot.width * HIGH);
  return (
    <div className="paper" style={{ width: shot.width * scale }} aria-busy={loading}>
      {url !== null && <img src={url} alt={name} width={shot.width * scale} />}
      {url === null && (
        <div className="empty" style={{ height: height * scale }}>
          {loading ? <Wait words={waiting} /> : <p className="problem">{reason === null || reason === '' ? messages.noPicture : reason}</p>}
        </div>
      )}
      {url !== null && loading && <span className="spinner again" role="status" aria-label={waiting} />}
      {url !== null && area !== null && size !== undefined && <Differs area={area} size={size} />}
    </div>
  );
}

function Wait({ words }: { words: string }) {
  return (
    <span className="waits" role="status">
      <span className="spinner" aria-hidden />
      <span className="hidden">{words}</span>
    </span>
  );
}

/** Where two pictures differ. */
function Differs({ area, size }: { area: Area; size: { width: number; height: number } }) {
  const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;
  // A page that became shorter differs below its end.
  if (area.y >= size.height) return null;
  const style = { left: share(area.x, size.width), top: share(area.y, size.height), width: share(area.width, size.width), height: share(Math.min(area.height, size.height - area.y), size.height) };
  return <span className="differs" style={style} aria-hidden />;
}

/** A picture with what it is of above it. */
export function Figure({ shot, note, children }: { shot: Shot; note?: ReactNode; children: ReactNode }) {
  return (
    <figure className="sheet">
      <figcaption>
        <b>{messages.pixels(shot.width)}</b>
        <span className="place" title={shot.page}>{shot.page}</span>
        {shot.scheme === 'dark' && <span className="badge">{messages.scheme.dark}</span>}
        {note}
      </figcaption>
      {children}
    </figure>
  );
}
