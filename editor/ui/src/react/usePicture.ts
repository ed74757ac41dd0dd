/** A picture that the program gives. Asked for as everything is: an `img` by itself sends no origin. */
import { useEffect, useState } from 'react';
import { refusalOf } from '../api/client.ts';
import { useEditor } from './use.ts';

export interface Picture {
  /** Shown until a newer one is there. */
  url: string | null;
  loading: boolean;
  /** Why there is none. */
  reason: string | null;
}

const NONE: Picture = { url: null, loading: false, reason: null };

/** Asks again whenever `again` is another. Without an address there is none. */
export function usePicture(address: string | null, again = 0): Picture {
  const editor = useEditor();
  const [picture, setPicture] = useState<Picture>({ ...NONE, loading: true });
  useEffect(() => {
    if (address === null) {
      setPicture(NONE);
      return undefined;
    }
    const stop = new AbortController();
    setPicture(({ url }) => ({ url, loading: true, reason: null }));
    const load = async (): Promise<void> => {
      const response = await editor.world.send(address, { method: 'POST', signal: stop.signal });
      const blob = await response.blob();
      if (stop.signal.aborted) return;
      const good = response.ok && blob.type.startsWith('image/');
      const reason = good ? null : refusalOf(await blob.text()) ?? `${response.status}`;
      if (!stop.signal.aborted) setPicture({ url: good ? URL.createObjectURL(blob) : null, loading: false, reason });
    };
    load().catch((error: unknown) => {
      if (!stop.signal.aborted) setPicture({ url: null, loading: false, reason: error instanceof Error ? error.message : '' });
    });
    return () => stop.abort();
  }, [editor, address, again]);
  const { url } = picture;
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  return picture;
}
