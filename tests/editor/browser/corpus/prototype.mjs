/** The prototype's page in Chromium: opening its routes, reading it, hearing of hot reloads and of what goes wrong. */
import { install } from '../../../../editor/bridge/src/review/in_page.mjs';

/** How long nothing may change before a page counts as settled, and how long that is waited for. Milliseconds, like all below. */
const CALM = 250;
const SETTLING = 10_000;

/** How long the first requests of a route may take: its data, and packages that the dev server has to prepare. */
const LOADING = 20_000;

/** How often a page that shows nothing of its source is loaded. */
const LOADS = 3;

/** How long a service worker has to end after its last page. */
const WORKER_ENDING = 300;

/** How long the dev server may take to say that something changed. */
const SIGNAL = 6_000;

/** Complaints of the network are the application's own: it has no server here. */
const NETWORK = /Failed to load resource|net::ERR_|NetworkError|Failed to fetch|WebSocket connection|CORS policy|Refused to|preload/;

/** How wide the pages are at which edits are judged, in their own pixels: the elements of a route are shared out among them. */
export const WIDTHS = [1280, 390, 768, 1440];
const HEIGHT = 900;

export class Prototype {
  #page;
  #errors = [];
  #signals = 0;
  #heard = () => {};
  #loaded = 0;

  /** How wide the page is now. */
  width = WIDTHS[0];

  /** A page that knows how to read itself, whenever it is loaded. */
  static async open(context) {
    const prototype = new Prototype();
    const page = await context.newPage();
    prototype.#page = page;
    await page.setViewportSize({ width: prototype.width, height: HEIGHT });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.addInitScript(`(${install})(${Date.now()})`);
    // Half-way through an animation every reading is another one.
    await page.addInitScript(() => {
      const still = () => {
        const style = document.createElement('style');
        style.textContent = '*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important}';
        document.documentElement.append(style);
      };
      if (document.documentElement) still();
      else new MutationObserver((_, observer) => document.documentElement && (observer.disconnect(), still())).observe(document, { childList: true });
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !NETWORK.test(message.text())) prototype.#errors.push(message.text());
      if (/^\[vite\]|\[Fast Refresh\]|\[HMR\]/.test(message.text())) prototype.#signal();
    });
    page.on('pageerror', (error) => {
      if (!NETWORK.test(error.message)) prototype.#errors.push(error.message);
    });
    page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
    page.on('load', () => prototype.#signal());
    return prototype;
  }

  /** Makes the page as wide as this. */
  async resize(width) {
    this.width = width;
    await this.#page.setViewportSize({ width, height: HEIGHT });
  }

  #signal() {
    this.#signals += 1;
    this.#heard();
  }

  /** How long ago the page was loaded. */
  get age() {
    return Date.now() - this.#loaded;
  }

  /**
   * Loads a route afresh and waits until it rests. Gives where that led. A page that shows nothing is loaded again: a dev server that
   * has just begun compiles for longer than pages wait.
   */
  async load(url) {
    for (let loads = 1; ; loads += 1) {
      await this.#open(url);
      const places = await this.call('rendered');
      if (places.length > 0 || loads === LOADS) return this.#page.url();
    }
  }

  /**
   * Mock Service Worker ends its worker with the last page that it is for. The page that comes right behind waits for it for ever, by plain
   * Vite as well (8 of 10 pages of bulletproof-react): for a moment no page is open.
   */
  async #leaveWorkers() {
    const hasWorker = await this.#page.evaluate(() => Boolean(navigator.serviceWorker?.controller)).catch(() => false);
    if (!hasWorker) return;
    await this.#page.goto('about:blank');
    await this.#page.waitForTimeout(WORKER_ENDING);
  }

  async #open(url) {
    await this.#leaveWorkers();
    // A dev server that prepares packages loads the page anew, or lets an import fail once.
    for (let tries = 0; ; tries += 1) {
      try {
        this.#loaded = Date.now();
        await this.#page.goto(url, { waitUntil: 'load', timeout: 60_000 });
        break;
      } catch (error) {
        if (tries === 2) throw error;
      }
    }
    await this.settle(true);
  }

  /** Waits until nothing happens any more. */
  async settle(network = false) {
    if (network) await this.#page.waitForLoadState('networkidle', { timeout: LOADING }).catch(() => {});
    await this.call('quiet', CALM, SETTLING);
  }

  /** Calls what the page knows; a page that is loaded anew meanwhile is asked again. */
  async call(name, ...args) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#page.evaluate(([name, args]) => window.galleyCorpus[name](...args), [name, args]);
      } catch (error) {
        if (tries === 4 || !/context was destroyed|Cannot find context|navigat|undefined/i.test(error.message)) throw error;
        await this.#page.waitForLoadState('load', { timeout: LOADING }).catch(() => {});
      }
    }
  }

  read() {
    return this.call('read');
  }

  /** What has been said so far; later complaints are new. */
  mark() {
    return { errors: this.#errors.length, signals: this.#signals };
  }

  /** Complaints since then, each once, without what differs from one to the next. */
  complaints({ errors }) {
    return [...new Set(this.#errors.slice(errors).map(general))];
  }

  /** Waits until the dev server told the page of a change; false when it did not. */
  async changed({ signals }) {
    if (this.#signals > signals) return true;
    return new Promise((resolve) => {
      const limit = setTimeout(() => this.#end(resolve, false), SIGNAL);
      this.#heard = () => {
        clearTimeout(limit);
        this.#end(resolve, true);
      };
    });
  }

  #end(resolve, outcome) {
    this.#heard = () => {};
    resolve(outcome);
  }

  /** A little time for what the page does next. */
  rest(milliseconds) {
    return this.call('quiet', milliseconds, milliseconds * 4);
  }
}

/** A complaint without places and numbers. */
function general(text) {
  return text.replace(/https?:\/\/\S+/g, '…').replace(/\d+/g, '#').slice(0, 400);
}
