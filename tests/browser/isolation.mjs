/**
 * A hostile prototype, opened by an admin: in a window of its own, and framed in the review of its project. It tries to use the
 * session, to get hold of a page's key, and to stay. `task.own` tells whether it has an origin of its own, where all of it must
 * fail. Otherwise it may do what the review may, and that is demanded, too: somebody who closes that gap has to say so here.
 */
import { demand, PATIENCE, run, task } from './browser.mjs';

const { origin, own, shop, other } = task;
const PAGES = ['/', '/you/tokens', '/instance/members', '/projects/shop', '/projects/shop/deployments', '/projects/other'];
const ASKED = [
  ['GET', '/api/v1/me'],
  ['GET', '/api/v1/projects'],
  ['GET', `/api/v1/projects/${shop}`],
  ['GET', `/api/v1/projects/${shop}/comments`],
  ['GET', `/api/v1/projects/${other}`],
  ['GET', '/api/v1/tokens'],
  ['GET', '/api/v1/instance/settings'],
  ['POST', '/api/v1/tokens', { name: 'stolen', scopes: ['read', 'write'] }],
  ['POST', `/api/v1/projects/${shop}/comments`, { body: 'forged', position: { anchorSelector: 'h1', page: '/' } }],
  ['POST', `/api/v1/projects/${other}/comments`, { body: 'forged', position: { anchorSelector: 'h1', page: '/' } }],
  ['PATCH', `/api/v1/projects/${shop}`, { name: 'defaced' }],
  ['DELETE', `/api/v1/projects/${other}`],
];

/** Sends each request and tells the statuses; 0 where the browser hands over nothing. */
const ask = async ({ origin, asked, key }) => {
  const statuses = {};
  for (const [method, path, body] of asked) {
    const headers = { ...(body && { 'content-type': 'application/json' }), ...(key && { 'x-galley-key': key }) };
    const sent = fetch(origin + path, { method, headers, credentials: 'include', ...(body && { body: JSON.stringify(body) }) });
    statuses[`${method} ${path}`] = await sent.then(({ status }) => status, () => 0);
  }
  return statuses;
};

/** Ways of sending that hand nothing over but might change something. */
const sendBlindly = async ({ origin, shop }) => {
  const body = JSON.stringify({ name: 'stolen', scopes: ['read', 'write'] });
  navigator.sendBeacon(`${origin}/api/v1/tokens`, new Blob([body], { type: 'text/plain' }));
  await fetch(`${origin}/api/v1/tokens`, { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => {});
  const sink = Object.assign(document.createElement('iframe'), { name: 'sink' });
  document.body.append(sink);
  const form = Object.assign(document.createElement('form'), {
    action: `${origin}/api/v1/projects/${shop}/comments`, method: 'post', target: 'sink', enctype: 'text/plain',
  });
  form.append(Object.assign(document.createElement('input'), { name: '{"body":"forged","x":"', value: '"}' }));
  document.body.append(form);
  form.submit();
  const script = Object.assign(document.createElement('script'), { src: `${origin}/api/v1/me` });
  document.body.append(script);
  const stream = new EventSource(`${origin}/api/v1/projects/${shop}/comments/stream`, { withCredentials: true });
  let opened = false;
  stream.onopen = () => { opened = true; };
  await new Promise((done) => setTimeout(done, 800));
  stream.close();
  return opened;
};

/** Every key that can be had by fetching, framing and opening pages, from this window or from the one around it. */
const steal = async ({ origin, pages }) => {
  const keys = [];
  let windows = 0;
  const look = (view) => {
    try {
      const key = view.document?.querySelector('meta[name="galley-key"]')?.content;
      if (key && key !== '__GALLEY_KEY__') keys.push(key);
    } catch {
      // Another origin, or a window that was cut off.
    }
  };
  for (const path of pages) {
    const text = await fetch(origin + path, { credentials: 'include', headers: { accept: 'text/html' } }).then((answer) => answer.text(), () => '');
    const found = /galley-key" content="([^"]+)"/.exec(text)?.[1];
    if (found && found !== '__GALLEY_KEY__') keys.push(found);
    for (const tag of ['iframe', 'object', 'embed']) {
      const element = document.createElement(tag);
      element[tag === 'object' ? 'data' : 'src'] = origin + path;
      document.body.append(element);
      await new Promise((done) => setTimeout(done, 150));
      if (element.contentWindow) look(element.contentWindow);
      element.remove();
    }
    const openers = [window];
    try {
      if (parent !== window && parent.document) openers.push(parent);
    } catch {
      // The parent has another origin.
    }
    for (const opener of openers) {
      const opened = opener.open(origin + path);
      windows += opened ? 1 : 0;
      for (let turn = 0; opened && turn < 8; turn += 1) {
        await new Promise((done) => setTimeout(done, 100));
        look(opened);
      }
      opened?.close();
    }
  }
  return { keys: [...new Set(keys)], windows };
};

/** Staying: a worker that sees every request, and cookies in place of the session's. */
const settle = async ({ origin }) => {
  const place = location.pathname.replace(/[^/]*$/, '');
  const register = (script, scope) =>
    navigator.serviceWorker.register(script, { scope }).then(() => 'registered', () => 'refused');
  const workers = [
    await register(`${origin}/sw.js`, `${origin}/`),
    await register(new URL(`${place}sw.js`, location.href).href, `${origin}/`),
    await register(new URL(`${place}sw.js`, location.href).href, `${origin}/api/`),
  ];
  for (const name of ['galley_session', '__Host-galley_session', 'galley_view', '__Host-galley_frame'])
    for (const more of ['path=/', 'path=/api/v1', 'path=/; domain=localhost', `path=/; domain=${location.hostname}`])
      document.cookie = `${name}=tossed; ${more}`;
  return { workers, cookies: document.cookie };
};

await run(async (browser) => {
  const { context } = browser;
  const server = async (path) => (await context.request.get(origin + path)).json();
  const unharmed = async (forged) => {
    demand((await server('/api/v1/tokens')).tokens.length === 0, 'a token was made');
    demand((await server(`/api/v1/projects/${shop}`)).name !== 'defaced', 'the project was renamed');
    await server(`/api/v1/projects/${other}`);
    const count = async (id) => (await server(`/api/v1/projects/${id}/comments`)).comments.length;
    demand((await count(other)) === 0, 'the other project has a forged comment');
    // One that the page shows may still be on its way.
    for (const end = Date.now() + PATIENCE; (await count(shop)) < forged && Date.now() < end; ) await new Promise((on) => setTimeout(on, 100));
    demand((await count(shop)) === forged, `the project has ${await count(shop)} comments, not ${forged}`);
  };
  const refused = (statuses, why) => {
    for (const [asked, status] of Object.entries(statuses))
      demand(own ? status === 0 : status === 403, `${why}: ${asked} answers ${status}`);
  };

  // In a window of its own.
  const alone = context.pages()[0] ?? (await context.newPage());
  await alone.goto(task.url);
  await alone.getByRole('heading', { name: 'Hostile' }).waitFor();
  refused(await alone.evaluate(ask, { origin, asked: ASKED }), 'in a window');
  demand(!(await alone.evaluate(sendBlindly, { origin, shop })), 'a stream was opened');
  // Nothing is proved by a window that was never opened.
  const robbed = await alone.evaluate(steal, { origin, pages: PAGES });
  demand(robbed.windows === PAGES.length, `${robbed.windows} windows were opened`);
  demand(robbed.keys.length === 0, `a window got the keys ${robbed.keys}`);
  await unharmed(0);

  // In the review, as the pages are.
  const review = await context.newPage();
  const dialogs = [];
  review.on('dialog', (dialog) => (dialogs.push(dialog.message()), dialog.dismiss()));
  await review.goto(`${origin}/projects/shop`);
  const inReview = async () => (await review.waitForSelector('.device iframe')).contentFrame();
  let framed = await inReview();
  await framed.getByRole('heading', { name: 'Hostile' }).waitFor();
  await review.getByRole('heading', { name: 'No comments yet' }).waitFor();
  demand(framed.url() === task.url, `the frame shows ${framed.url()}`);
  refused(await framed.evaluate(ask, { origin, asked: ASKED }), 'in the review');
  const reach = await framed.evaluate(() => {
    try {
      return parent.document.querySelector('meta[name="galley-key"]').content;
    } catch (error) {
      return error.name;
    }
  });
  const stolen = await framed.evaluate(steal, { origin, pages: PAGES });
  const openers = own ? 1 : 2;
  demand(stolen.windows === openers * PAGES.length, `${stolen.windows} windows were opened from the frame`);
  // They were cut off from who opened them, so they stay; each is a page of its own that works.
  for (const page of context.pages()) if (page !== alone && page !== review) await page.close();
  if (own) {
    demand(reach === 'SecurityError', `the frame reads its parent: ${reach}`);
    demand(stolen.keys.length === 0, `the frame got the keys ${stolen.keys}`);
    await unharmed(0);
  } else {
    // What is open in path mode: the review's own key, which reads and comments this project, and nothing else.
    demand(reach.startsWith(`review:${shop}.`), `the review's key is ${reach}`);
    demand(stolen.keys.length === 0, `the frame got the keys ${stolen.keys}`);
    const open = await framed.evaluate(ask, { origin, asked: ASKED, key: reach });
    const mine = ['GET /api/v1/me', 'GET /api/v1/projects', `GET /api/v1/projects/${shop}`, `GET /api/v1/projects/${shop}/comments`];
    for (const [asked, status] of Object.entries(open)) {
      const expected = mine.includes(asked) ? 200 : asked === `POST /api/v1/projects/${shop}/comments` ? 201 : 403;
      demand(status === expected, `with the review's key: ${asked} answers ${status}, not ${expected}`);
    }
    await unharmed(1);
    // Files of other prototypes, and the pages' storage, are open, too.
    demand((await framed.evaluate(() => fetch('/p/other/').then(({ status }) => status))) === 200, 'another prototype is closed');
    await review.evaluate(() => localStorage.setItem('draft', 'of a page'));
    demand((await framed.evaluate(() => localStorage.getItem('draft'))) === 'of a page', 'the storage is closed');
    // So is painting over the review, which shows the comment that was forged.
    demand(await framed.evaluate(() => parent.document.querySelector('.review-bar') !== null), 'the page around is closed');
    await review.locator('.comment-item', { hasText: 'forged' }).waitFor();
  }

  // Messages, forged and many: what they say is text, and the page around goes on.
  const claim = '<img src=x onerror=alert(1)>';
  await review.getByRole('radio', { name: 'A click pins a comment' }).click();
  await framed.evaluate((claim) => {
    const rect = { x: 0, y: 0, width: 10, height: 10 };
    const placed = { type: 'review:placed', selector: 'h1', anchor: { v: 1, tag: 'h1' }, rect, page: '/', label: claim };
    const forged = [
      placed,
      { type: 'review:ready', page: 'javascript:alert(1)', title: claim, version: 1, started: true },
      { ...placed, rect: null },
      { ...placed, anchor: { v: 1, text: 'x'.repeat(100_000) } },
      { type: 'review:page', page: 'x'.repeat(100_000), title: {} },
      { type: 'review:pins', pins: Array.from({ length: 1000 }, (_, id) => ({ id, state: '__proto__' })) },
      { type: 'review:error', message: claim },
      null, 0, 'review:ready', { type: { toString: 'no function' } }, { type: 'review:key', key: 'Enter' },
    ];
    for (let turn = 0; turn < 2000; turn += 1) parent.postMessage(forged[turn % forged.length], '*');
  }, claim);
  await review.getByText(`New comment on ${claim}`, { exact: true }).waitFor();
  // A frame inside the prototype is not it, and is not heard.
  await review.keyboard.press('Escape');
  await review.waitForTimeout(1_100);
  await framed.evaluate(() => {
    const inner = document.createElement('iframe');
    document.body.append(inner);
    const script = inner.contentDocument.createElement('script');
    script.textContent = "top.postMessage({ type: 'review:placed', selector: 'h1', anchor: { v: 1 }, rect: { x: 0, y: 0, width: 1, height: 1 }, page: '/', label: 'another frame' }, '*')";
    inner.contentDocument.body.append(script);
  });
  await review.waitForTimeout(300);
  demand((await review.getByText('another frame').count()) === 0, 'a frame inside the prototype is heard');
  demand(await review.getByRole('radio', { name: 'A click pins a comment' }).isChecked(), 'nothing was to be pinned');
  demand(new URL(review.url()).pathname === '/projects/shop', 'the review went away');
  await review.goto(`${origin}/projects/shop`);
  framed = await inReview();
  await framed.getByRole('heading', { name: 'Hostile' }).waitFor();
  await review.getByRole('radio', { name: 'A click pins a comment' }).click();
  await review.getByText('Esc leaves.').waitFor();
  const words = review.getByRole('textbox', { name: /^New comment on h1/ });
  // The frame hears of the mode in its own time.
  for (const end = Date.now() + PATIENCE; (await words.count()) === 0 && Date.now() < end; await review.waitForTimeout(300))
    await framed.getByRole('heading', { name: 'Hostile' }).click();
  await words.fill('Written beside it');
  await review.keyboard.press('ControlOrMeta+Enter');
  await review.locator('.comment-item', { hasText: 'Written beside it' }).getByRole('button', { name: /^Comment \d+ by ada/i }).waitFor();
  demand((await review.locator('img[src="x"]').count()) === 0 && dialogs.length === 0, `what it said became markup, or ran: ${dialogs}`);
  await unharmed(own ? 1 : 2);

  // Nobody clicks now: what it claims about the comment opens it, and neither resolves nor moves it, nor asks for another one.
  const written = async () => (await server(`/api/v1/projects/${shop}/comments`)).comments.find(({ body }) => body === 'Written beside it');
  const before = await written();
  await framed.evaluate((id) => {
    const placed = { type: 'review:placed', selector: '#log', anchor: { v: 1, tag: 'p' }, rect: { x: 0, y: 0, width: 10, height: 10 }, page: '/elsewhere', label: 'a claim' };
    const key = { type: 'review:key', key: 'e', meta: false, ctrl: false, shift: false, alt: false };
    for (const message of [placed, { ...placed, id }, { type: 'review:pin', id }, key]) parent.postMessage(message, '*');
  }, before.id);
  // The key was heard.
  await review.getByText('Keys pressed in the prototype resolve nothing.').waitFor();
  await review.waitForTimeout(500);
  demand((await review.getByRole('textbox', { name: /^New comment/ }).count()) === 0, 'a claim opens the card for a new comment');
  demand(JSON.stringify(await written()) === JSON.stringify(before), `without a click it became ${JSON.stringify(await written())}`);

  // What it leaves behind is in nobody's way.
  for (const view of [alone, framed]) {
    const left = await view.evaluate(settle, { origin });
    demand(left.workers.every((worker) => worker === 'refused'), `service workers: ${left.workers}`);
    demand(!left.cookies.includes(task.cookie.split('=')[1]), 'a script reads the session');
  }
  const after = await context.newPage();
  await after.goto(`${origin}/you/tokens`);
  const email = await after.evaluate(async () => {
    const key = document.querySelector('meta[name="galley-key"]').content;
    const me = await fetch('/api/v1/me', { headers: { 'x-galley-key': key } });
    return (await me.json()).user?.email;
  });
  demand(email === 'ada@example.com', `afterwards somebody is signed in as ${email}`);
  await after.goto(task.start);
  await after.getByRole('heading', { name: 'Hostile' }).waitFor();

  // The refusals are what was wanted.
  browser.wrong.length = 0;
});
