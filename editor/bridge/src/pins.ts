/** The pins of a page: drawn for each frame that the browser paints, and told when something about them changed. */
import type { PlacedPin } from '../../kit/review.ts';
import type { DrawnPin, Overlay } from './overlay.ts';
import { PinTracker } from './pin_tracker.ts';
import { isElement } from './roots.ts';

/** Places are told at most this often, in milliseconds. */
const REPORT_PAUSE = 100;
/** A pin so far outside of the window is not drawn, in pixels. */
const MARGIN = 40;

export class Pins {
  readonly #view: Window;
  readonly #overlay: Overlay;
  readonly #tell: (pins: PlacedPin[]) => void;
  readonly tracker: PinTracker;
  #reported = '';
  #reportedAt = 0;

  constructor(view: Window, overlay: Overlay, tell: (pins: PlacedPin[]) => void) {
    this.#view = view;
    this.#overlay = overlay;
    this.#tell = tell;
    this.tracker = new PinTracker(view);
    // The page in a frame is another one; nothing else tells of it.
    view.document.addEventListener('load', ({ target }) => isElement(target) && /frame$/.test(target.localName) && this.tracker.changed(), true);
  }

  /** The next frame tells them, though nothing changed. */
  tellAgain(): void {
    this.#reported = '';
  }

  /** Draws the pins where they are now, `shown` above the others. */
  draw(placed: PlacedPin[], shown?: string): void {
    const { innerWidth, innerHeight } = this.#view;
    this.#overlay.drawPins(
      this.tracker.pins.map((pin, index): DrawnPin => {
        const { state, rect } = placed[index] as PlacedPin;
        const point = pin.anchor?.point ?? { x: 1, y: 0 };
        const at = rect && { x: rect.x + rect.width * point.x, y: rect.y + rect.height * point.y };
        const isNear = at && at.x > -MARGIN && at.y > -MARGIN && at.x < innerWidth + MARGIN && at.y < innerHeight + MARGIN;
        const look: string[] = pin.status === 'open' ? [] : [pin.status];
        if (state === 'moved') look.push('moved');
        if (pin.unread) look.push('unread');
        if (shown === pin.id) look.push('shown');
        return { id: pin.id, label: pin.label, title: state === 'moved' ? `${pin.title} (its element has moved)` : pin.title, look, at: isNear ? at : undefined };
      }),
    );
  }

  report(placed: PlacedPin[]): void {
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_PAUSE) return;
    const facts = JSON.stringify(placed);
    if (facts === this.#reported) return;
    this.#reported = facts;
    this.#reportedAt = now;
    this.#tell(placed);
  }
}
