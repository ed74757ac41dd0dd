/** What the bridge draws over the page: the outlines of what is hovered and selected, and the pins of comments. */
import type { Box } from '../../kit/anchor.ts';

/** The element that the overlay lives in. */
export const OVERLAY = 'galley-overlay';

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
.pin { position: fixed; pointer-events: auto; width: 26px; height: 26px; margin: -26px 0 0 0; padding: 0; border: 2px solid Canvas;
  border-radius: 13px 13px 13px 2px; background: #b4380f; color: #fff; font: 600 12px/1 ui-sans-serif, system-ui, sans-serif; cursor: pointer;
  box-shadow: 0 1px 4px rgb(0 0 0 / .35); touch-action: manipulation; }
.pin::before { content: ''; position: absolute; inset: -4px; }
.pin.resolved { background: #4d6b57; }
.pin.moved { border-style: dotted; }
.pin.draft { background: #2f6fed; }
.pin.unread { border-color: #9dc1ff; }
.pin.shown { z-index: 1; box-shadow: 0 0 0 3px rgb(47 111 237 / .55), 0 1px 4px rgb(0 0 0 / .35); }
.pin:focus-visible { outline: 3px solid #2f6fed; outline-offset: 2px; z-index: 2; }
@media (pointer: coarse) { .pin { width: 32px; height: 32px; margin-top: -32px; border-radius: 16px 16px 16px 2px; } }
`;

/** One outline. */
export interface Outline {
  /** `also` is what a choice or an edit concerns besides; `drop` is the line where a dragged element would go, `into` what it would go into. */
  kind: 'hover' | 'selected' | 'alike' | 'also' | 'drop' | 'into';
  box: Box;
  label?: string;
}

/** One pin, as it looks. */
export interface DrawnPin {
  id: string;
  label: string;
  /** What is said of it. */
  title: string;
  /** `resolved`, `moved`, `draft`, `unread`, `shown`. */
  look: string[];
  /** Undefined where its element is not to be seen: then it is not drawn. */
  at: { x: number; y: number } | undefined;
}

/** Draws into a closed shadow root: the page's styles do not reach it, and its elements are not the page's. */
export class Overlay {
  readonly #page: Document;
  readonly #openPin: (id: string) => void;
  #host: HTMLElement | undefined;
  #shadow: ShadowRoot | undefined;
  #outlines: HTMLElement | undefined;
  #pins: HTMLElement | undefined;
  readonly #buttons = new Map<string, { button: HTMLButtonElement; drawn: string }>();
  /** Light or dark, as the interface around is. */
  theme = 'light';
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

  /** Shows these pins and no others. Called for each frame: touches only what differs. */
  drawPins(pins: DrawnPin[]): void {
    if (!this.#host && !pins.some(({ at }) => at)) return;
    const { pins: layer } = this.#open();
    layer.style.colorScheme = this.theme;
    for (const pin of pins) {
      const drawn = JSON.stringify(pin);
      const known = this.#buttons.get(pin.id);
      if (known?.drawn === drawn) continue;
      const button = known?.button ?? this.#pin(pin.id);
      this.#buttons.set(pin.id, { button, drawn });
      button.textContent = pin.label;
      button.title = button.ariaLabel = pin.title;
      button.className = ['pin', ...pin.look].join(' ');
      button.style.cssText = pin.at ? `left:${pin.at.x}px;top:${pin.at.y}px` : 'display:none';
      if (!known) layer.append(button);
    }
    if (this.#buttons.size === pins.length) return;
    const ids = new Set(pins.map(({ id }) => id));
    for (const [id, { button }] of this.#buttons) {
      if (ids.has(id)) continue;
      button.remove();
      this.#buttons.delete(id);
    }
  }

  /** Comes above everything again, such as a dialog that the page opened meanwhile. */
  raise(): void {
    if (!this.#host?.isConnected || !('popover' in this.#host)) return;
    if (this.#host.matches(':popover-open')) this.#host.hidePopover();
    this.#host.showPopover();
  }

  #pin(id: string): HTMLButtonElement {
    const button = this.#page.createElement('button');
    button.type = 'button';
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      this.#openPin(id);
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
      this.#host = this.#page.createElement(OVERLAY);
      this.#host.setAttribute('popover', 'manual');
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
