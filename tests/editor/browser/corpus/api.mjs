/** The Editor's local API, spoken to as its interface does: by POST, from its own origin. */
export class Api {
  #origin;

  constructor(origin) {
    this.#origin = origin;
  }

  /** The answer, with `status` beside it. */
  async ask(path, body) {
    const headers = { origin: this.#origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await fetch(this.#origin + path, { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: answer.status, ...(await answer.json()) };
  }

  /** `viewport` is the page's `{ width, holds }`. */
  inspect(src, item, within, { width, holds }) {
    const query = new URLSearchParams({ src, width, holds: JSON.stringify(holds), ...(item === null ? {} : { item }), ...(within === null ? {} : { within }) });
    return this.ask(`/api/editor/inspect?${query}`);
  }

  /** The elements of a file, or null when it has none. */
  async tree(path) {
    if (!/\.(?:vue|[cm]?js|[jt]sx)$/.test(path)) return null;
    const { ok, nodes } = await this.ask(`/api/editor/tree?${new URLSearchParams({ path })}`);
    return ok ? nodes : null;
  }

  edit(request) {
    return this.ask('/api/editor/edit', request);
  }

  undo() {
    return this.ask('/api/editor/undo', {});
  }
}
