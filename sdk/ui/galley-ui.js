// Talks to Galley's page around this frame: JSON-RPC 2.0 over the port that the page hands over when the frame has loaded.
//
//   import { connect } from './galley-ui.js';
//   const galley = await connect();
//   galley.context                     { slot, at, project, deployment, theme, tokens, locale, me }
//   galley.onContext((context) => …)   again whenever it changes
//   await galley.get('/api/v1/…')      { status, body }; also put, post, patch and delete with a body
//   galley.navigate('/projects/shop')  galley.toast('Saved')
//
// The frame is as high as its content, and has the page's colours as CSS variables on :root (--paper, --ink, --accent …).

const waiting = new Map();
let port, listeners = [], last = 0;

function send(method, params) {
  port.postMessage({ jsonrpc: '2.0', method, params });
}

function ask(method, params) {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    port.postMessage({ jsonrpc: '2.0', id, method, params });
  });
}

function adopt(context) {
  galley.context = context;
  const root = document.documentElement;
  root.style.colorScheme = context.theme;
  root.lang = context.locale;
  for (const [name, value] of Object.entries(context.tokens)) root.style.setProperty(name, value);
  for (const listener of listeners) listener(context);
}

function hear({ data }) {
  if (data.method === 'context') return adopt(data.params);
  const call = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.error) call?.reject(new Error(data.error.message));
  else call?.resolve(data.result);
}

const api = (method) => (path, body) => ask('api', { method, path, body });
const galley = {
  context: undefined,
  onContext: (listener) => listeners.push(listener),
  get: api('GET'), put: api('PUT'), post: api('POST'), patch: api('PATCH'), delete: api('DELETE'),
  navigate: (to) => send('navigate', { to }),
  toast: (text) => send('toast', { text }),
};

/** Waits for the page, and for the first context. */
export function connect() {
  return new Promise((resolve) => {
    if (galley.context) return resolve(galley);
    listeners.push(() => resolve(galley));
    addEventListener('message', (event) => {
      if (port || event.source !== parent || event.data?.galley !== 'port') return;
      port = event.ports[0];
      port.onmessage = hear;
      send('ready', {});
      const resize = () => send('resize', { height: Math.ceil(document.documentElement.getBoundingClientRect().height) });
      new ResizeObserver(resize).observe(document.documentElement);
    });
  });
}
