/** What the bridge draws over the page: the outlines of what is hovered and selected, and the pins of comments. */
import type { Pin } from './editor_messages.ts';
import type { Box } from './messages.ts';

const STYLE = `
:host { all: initial; position: fixed; inset: 0; width: auto; height: auto; margin: 0; padding: 0; border: 0; overflow: visible;
  background: none; pointer-events: none; z-index: 2147483647; }
.box { position: fixed; box-sizing: border-box; border: 1px solid #2f6fed; border-radius: 1px; }
.hover { border-style: dashed; background: rgb(47 111 237 / .06); }
.selected { border-width: 2px; }
.alike { border-style: dotted; opacity: .7; }
.also { border-width: 2px; border-color: #b4380f; background: rgb(180 56 15 / .08); }
.drop { border: 0; background: #2f6fed; border-radius: 2px; }
.into { border-width: 2px; background: rgb(47 111 237 / .14); }
.label { position: fixed; font: 600 11px/18px ui-sans-serif, system-ui, sans-serif; color: #fff; background: #2f6fed; padding: 0 6px;
  border-radius: 3px; white-space: nowrap; max-width: 60vw; overflow: hidden; text-overflow: ellipsis; }
.pin { position: fixed; pointer-events: auto; width: 26px; height: 26px; margin: -26px 0 0 0; padding: 0; border: 2px solid #fff;
  border-radius: 13px 13px 13px 2px; background: #b4380f; color: #fff; font: 600 12px/1 ui-sans-serif, system-ui, sans-serif; cursor: pointer;
  box-shadow: 0 1px 4px rgb(0 0 0 / .35); }
.pin.resolved { background: #4d6b57; }
.pin:focus-visible { outline: 3px solid #2f6fed; outline-offset: 2px; }
`;

/** One outline. */
export interface Outline {
  /** `also` is what a choice or an edit concerns besides; `drop` is the line where a dragged element would go, `into` what it would go into. */
  kind: 'hover' | 'selected' | 'alike' | 'also' | 'drop' | 'into';
  box: Box;
  label?: string;
}

/** Draws into a closed shadow root: the page's styles do not reach it, and its elements are not the page's. */
export class Overlay {
  readonly #page: Document;
  readonly #openPin: (id: string) => void;
  #host: HTMLElement | undefined;
  #shadow: ShadowRoot | undefined;
  #outlines: HTMLElement | undefined;
  #pins: HTMLElement | undefined;
  #drawn = '';

  constructor(page: Document, openPin: (id: string) => void) {
    this.#page = page;
    this.#openPin = openPin;
  }

  /** The element the overlay lives in, once there is one: it is no part of the prototype. */
  get host(): HTMLElement | undefined {
    return this.#host;
  }

  /** Shows these outlines and nothing else. Called for each frame: draws only when something differs. */
  draw(outlines: Outline[]): void {
    const wanted = JSON.stringify(outlines);
    if (wanted === this.#drawn && (outlines.length === 0 || this.#host?.isConnected)) return;
    this.#drawn = wanted;
    if (outlines.length === 0 && !this.#host) return;
    const { outlines: layer } = this.#open();
    layer.replaceChildren(...outlines.flatMap((outline) => this.#elements(outline)));
  }

  /** Shows these pins at these places; a pin without a place has lost its element and is not shown. */
  drawPins(pins: { pin: Pin; at: { x: number; y: number } | undefined }[]): void {
    if (pins.length === 0 && !this.#host) return;
    const { pins: layer } = this.#open();
    for (const { pin, at } of pins) {
      const known = layer.querySelector<HTMLElement>(`[data-id="${CSS.escape(pin.id)}"]`);
      const button = known ?? this.#pin(pin);
      button.textContent = pin.label;
      button.title = pin.resolved ? `Comment ${pin.label}, resolved` : `Comment ${pin.label}`;
      button.classList.toggle('resolved', pin.resolved);
      button.hidden = !at;
      button.style.cssText = at ? `left:${at.x}px;top:${at.y}px` : 'display:none';
      if (!known) layer.append(button);
    }
    const ids = new Set(pins.map(({ pin }) => pin.id));
    for (const button of [...layer.children]) {
      if (!ids.has((button as HTMLElement).dataset['id'] ?? '')) button.remove();
    }
  }

  /** Comes above everything again, such as a dialog that the page opened meanwhile. */
  raise(): void {
    if (!this.#host?.isConnected || !('popover' in this.#host)) return;
    if (this.#host.matches(':popover-open')) this.#host.hidePopover();
    this.#host.showPopover();
  }

  #pin(pin: Pin): HTMLButtonElement {
    const button = this.#page.createElement('button');
    button.className = 'pin';
    button.type = 'button';
    button.dataset['id'] = pin.id;
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      this.#openPin(pin.id);
    });
    return button;
  }

  #elements({ kind, box, label }: Outline): HTMLElement[] {
    const outline = this.#page.createElement('div');
    outline.className = `box ${kind}`;
    outline.style.cssText = `left:${box.x}px;top:${box.y}px;width:${box.width}px;height:${box.height}px`;
    if (label === undefined) return [outline];
    const text = this.#page.createElement('div');
    text.className = 'label';
    text.textContent = label;
    // Above the box; inside when there is no room above.
    text.style.cssText = `left:${Math.max(0, box.x)}px;top:${box.y >= 20 ? box.y - 20 : Math.max(0, box.y) + 2}px`;
    return [outline, text];
  }

  /** Made when it is first needed: a page that hydrates its whole document should not find an element more in it. */
  #open(): { outlines: HTMLElement; pins: HTMLElement } {
    if (!this.#host || !this.#shadow || !this.#outlines || !this.#pins) {
      this.#host = this.#page.createElement('galley-overlay');
      this.#host.setAttribute('popover', 'manual');
      // Pins are reached by the keyboard through the interface's list of comments.
      this.#shadow = this.#host.attachShadow({ mode: 'closed' });
      const style = this.#page.createElement('style');
      style.textContent = STYLE;
      this.#outlines = this.#page.createElement('div');
      this.#pins = this.#page.createElement('div');
      this.#shadow.append(style, this.#outlines, this.#pins);
    }
    if (!this.#host.isConnected) {
      this.#page.documentElement.append(this.#host);
      this.raise();
    }
    return { outlines: this.#outlines, pins: this.#pins };
  }
}
