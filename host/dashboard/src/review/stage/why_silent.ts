/** Why a page has loaded and its bridge says nothing, as far as it can be told. */
import type { Ui } from '../../api/ui.ts';

export type Reason = 'csp' | 'worker' | 'crashed' | 'cookies';

export function whySilent({ serving, publicUrl }: Ui, frame: HTMLIFrameElement | null = document.querySelector('.device iframe')): Reason {
  if (serving === 'own-origin' && signedOutByBrowser(publicUrl)) return 'cookies';
  try {
    // Below this page's own origin one can look; elsewhere this throws.
    const view = frame?.contentWindow;
    if (view?.document.querySelector('meta[http-equiv="Content-Security-Policy" i]')) return 'csp';
    if (view?.navigator.serviceWorker?.controller) return 'worker';
  } catch {
    // Another origin keeps its reasons to itself.
  }
  return 'crashed';
}

/** Browsers take the frame's cookie over https and on `localhost` only. */
function signedOutByBrowser(publicUrl: string): boolean {
  try {
    const { protocol, hostname } = new URL(publicUrl);
    return protocol === 'http:' && hostname !== 'localhost' && !hostname.endsWith('.localhost');
  } catch {
    return false;
  }
}
