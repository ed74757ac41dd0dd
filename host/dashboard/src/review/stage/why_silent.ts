/** Why a page has loaded and its bridge says nothing, as far as it can be told. */
import type { Ui } from '../../api/ui.ts';

export type Reason = 'version' | 'page' | 'csp' | 'worker' | 'crashed' | 'cookies';

/** `hasVersion`: whether the version that was asked for is one of the project's, as far as it is known. */
export function whySilent({ serving, publicUrl }: Ui, hasVersion: boolean, frame: HTMLIFrameElement | null = document.querySelector('.device iframe')): Reason {
  if (!hasVersion) return 'version';
  if (serving === 'own-origin' && signedOutByBrowser(publicUrl)) return 'cookies';
  try {
    // Below this page's own origin one can look; elsewhere this throws.
    const view = frame?.contentWindow;
    const [loading] = view?.performance.getEntriesByType('navigation') ?? [];
    if ((loading as PerformanceNavigationTiming | undefined)?.responseStatus === 404) return 'page';
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
