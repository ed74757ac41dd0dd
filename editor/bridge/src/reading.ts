/** Reading the page for the program. The code for it is loaded when it is first asked for: few pages are ever read. */

/** What the proxy makes of `review/`. */
const MODULE = '/__galley/reading.js';

interface Reading {
  answer(ask: unknown): Promise<unknown>;
}

/** The page's answer; null when it has none. */
export async function read({ location }: Window, ask: unknown): Promise<unknown> {
  try {
    const reading = (await import(/* @vite-ignore */ new URL(MODULE, location.href).href)) as Reading;
    return await reading.answer(ask);
  } catch {
    return null;
  }
}
