/** Holds the page still while somebody picks: a menu that fades away cannot be clicked. */
import { roots } from './roots.ts';

const STILL = `*, *::before, *::after { animation-play-state: paused !important; transition: none !important;
  scroll-behavior: auto !important; caret-color: transparent; }`;

/** Stops animations, transitions and videos; the function it gives lets all of it go on. */
export function freeze(page: Document): () => void {
  const undo: (() => void)[] = [];
  for (const root of roots(page)) {
    const view = (root.ownerDocument ?? (root as Document)).defaultView;
    if (!view) continue;
    // A constructed sheet adds no element to the page. It belongs to the window it was constructed in.
    const sheet = new (view as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(STILL);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    undo.push(() => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
    });
    // Animations that scripts made do not know of the style.
    for (const animation of root.getAnimations()) {
      if (animation.playState !== 'running' || 'animationName' in animation || 'transitionProperty' in animation) continue;
      animation.pause();
      undo.push(() => animation.play());
    }
    for (const drawing of root.querySelectorAll('svg')) {
      if (drawing.animationsPaused()) continue;
      drawing.pauseAnimations();
      undo.push(() => drawing.unpauseAnimations());
    }
    for (const media of root.querySelectorAll('video')) {
      if (media.paused) continue;
      media.pause();
      undo.push(() => void media.play().catch(() => undefined));
    }
  }
  return () => undo.splice(0).forEach((each) => each());
}
