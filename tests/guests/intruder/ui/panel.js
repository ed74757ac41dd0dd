// Tries each way out. `got` has what every attempt brought: a text that begins with "refused", or what was taken.
import { connect } from './galley-ui.js';

const galley = await connect();
const project = galley.context.project.id;
const got = {};

async function attempt(name, work) {
  const late = new Promise((_, reject) => setTimeout(reject, 3_000, new Error('nothing came back')));
  try {
    got[name] = JSON.stringify(await Promise.race([work(), late])) ?? 'undefined';
  } catch (error) {
    got[name] = `refused: ${error.name} ${error.message}`;
  }
}

/** The answer of a request through the page. */
const through = async (method, path, body) => {
  const { status, body: answer } = await galley[method](path, body);
  return { status, answer };
};
const loaded = (element, source) =>
  new Promise((resolve, reject) => {
    element.onload = () => resolve('loaded');
    element.onerror = () => reject(new Error('it did not load'));
    element.src = source;
    document.body.append(element);
  });

// What a document of this server could do.
await attempt('cookie', () => document.cookie);
await attempt('storage', () => localStorage.setItem('a', 'b'));
await attempt('database', () => new Promise((resolve, reject) => { const open = indexedDB.open('a'); open.onsuccess = () => resolve('opened'); open.onerror = () => reject(open.error); }));
await attempt('caches', () => caches.open('a').then(() => 'opened'));
await attempt('worker', () => navigator.serviceWorker.register('panel.js').then(() => 'registered'));
await attempt('api', () => fetch('/api/v1/me', { credentials: 'include' }).then((answer) => answer.text()));
await attempt('xhr', () => new Promise((resolve, reject) => { const request = new XMLHttpRequest(); request.open('GET', '/api/v1/projects'); request.onload = () => resolve(request.responseText); request.onerror = () => reject(new Error('no answer')); request.send(); }));
await attempt('parent', () => parent.document.title);
await attempt('parentStorage', () => parent.localStorage.length);
await attempt('top', () => { top.location.href = '/p/shop/'; return 'sent'; });
await attempt('popup', () => (open('/') === null ? Promise.reject(new Error('no window')) : 'opened'));
await attempt('frame', () => loaded(document.createElement('iframe'), '/').then(() => Promise.reject(new Error('an empty frame'))));
await attempt('form', () => { const form = document.createElement('form'); form.method = 'post'; form.action = '/api/v1/auth/logout'; document.body.append(form); form.submit(); return new Promise(() => {}); });

// Other origins.
await attempt('beacon', () => (navigator.sendBeacon('http://127.0.0.1:9/', 'x') ? new Promise(() => {}) : Promise.reject(new Error('not sent'))));
await attempt('image', () => loaded(new Image(), 'http://127.0.0.1:9/x.png'));
await attempt('script', () => loaded(document.createElement('script'), 'http://127.0.0.1:9/x.js'));
await attempt('socket', () => new Promise((resolve, reject) => { const socket = new WebSocket('ws://127.0.0.1:9/'); socket.onopen = () => resolve('open'); socket.onerror = () => reject(new Error('no connection')); }));
await attempt('import', () => import('http://127.0.0.1:9/x.js').then(() => 'imported'));

// Through the port.
await attempt('me', () => through('get', '/api/v1/me'));
await attempt('comments', () => through('get', `/api/v1/projects/${project}/comments`));
await attempt('token', () => through('post', '/api/v1/tokens', { name: 'mine', scopes: ['write'] }));
await attempt('others', () => through('get', '/api/v1/projects/another/x/intruder'));
await attempt('dots', () => through('get', `/api/v1/projects/${project}/x/intruder/../../comments`));
await attempt('encoded', () => through('get', `/api/v1/projects/${project}/x/intruder%2f..%2f..%2f..%2fme`));
await attempt('write', () => through('post', `/api/v1/projects/${project}/deployments`, {}));
await attempt('read', () => through('get', `/api/v1/projects/${project}/deployments`));
galley.navigate('https://example.com/');
galley.navigate('//example.com/');
galley.navigate('javascript:document.title=1');
galley.navigate('/api/v1/me');
galley.toast({ html: '<img src=x onerror=alert(1)>' });
galley.toast('<img src=x onerror=alert(1)>');
await galley.post(`/api/v1/projects/${project}/x/intruder`, got);
for (let at = 0; at < 5_000; at += 1) galley.toast(`flood ${at}`);
