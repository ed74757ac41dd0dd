/** The bridge on the review server: a page full of traps in a frame, and a parent that says what the review page would say. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { PATIENCE, demand, run, task } from './browser.mjs';

const bundle = readFileSync(task.bridge, 'utf8');

const serve = async (answer) => {
  const server = createServer((request, response) => answer(request, response));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${server.address().port}`;
};

const BODY = `
<nav><a href="/">Home</a> <a href="/about" id="to-about">About</a></nav>
<main>
  <h1>Blue shirt</h1><p class="stock">12 left in stock</p>
  <section><h2>Buy</h2><button class="b-x1"><i></i><span>Buy now</span></button> <button>Add to wish list</button></section>
  <section><h2>Colours</h2><ul><li>Red</li><li>Green</li><li>Blue</li></ul></section>
  <input placeholder="Search" name="q">
  <x-card></x-card>
  <iframe src="/inner" style="width:300px;height:60px;border:0"></iframe>
  <div style="height:1500px"></div><footer>Imprint</footer>
</main>
<script>
  window.worked = [];
  document.querySelector('button').addEventListener('click', () => worked.push('buy'));
  addEventListener('keydown', (event) => worked.push(event.key));
  document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML = '<b>in the shadow</b>';
  document.querySelector('#to-about').addEventListener('click', (event) => { event.preventDefault(); history.pushState({}, '', '/about'); document.title = 'About us'; document.querySelector('main').innerHTML = '<h1>About</h1><p>We sell shirts.</p>'; });
</script>`;
const PAGE = (tag) => `<!doctype html><html><head><title>Shop</title><link rel="icon" href="data:,">${tag}<style>body { margin: 0; font: 16px/1.5 sans-serif; } button { display: inline-flex; }</style></head><body>${BODY}</body></html>`;
const INNER = '<!doctype html><title>inner</title><body style="margin:0"><em>framed</em></body>';
const PARENT = (page) => `<!doctype html><title>parent</title><link rel="icon" href="data:,"><body style="margin:0"><script>
  window.heard = [];
  addEventListener('message', (event) => heard.push({ ...event.data, from: event.origin }));
  window.say = (message) => frames[0].postMessage(message, ${JSON.stringify(page)});
</script><iframe src="${page}/" width="800" height="700" style="border:0"></iframe>`;

/** What a script of the prototype could notice of the bridge. */
const LOOK = () => {
  const frame = document.documentElement.cloneNode(true);
  return {
    globals: Object.getOwnPropertyNames(window).sort().join(' '),
    html: frame.outerHTML,
    layout: [...document.querySelectorAll('body *')].map((each) => JSON.stringify(each.getBoundingClientRect())).join('|'),
    sheets: document.adoptedStyleSheets.length,
    native: [history.pushState, EventTarget.prototype.addEventListener, window.postMessage, Element.prototype.attachShadow, window.fetch].map(String).join(),
  };
};

await run(async ({ context }) => {
  let parent = '';
  const prototype = await serve(({ url }, response) => {
    if (url === '/bridge.js') return response.setHeader('content-type', 'text/javascript; charset=utf-8').end(bundle);
    response.setHeader('content-type', 'text/html');
    const tag = url.includes('review=off') ? '' : `<script src="/bridge.js" data-parent-origin="${parent}" defer></script>`;
    return response.end(url.startsWith('/inner') ? INNER : PAGE(tag));
  });
  parent = await serve((_, response) => response.setHeader('content-type', 'text/html').end(PARENT(prototype)));

  // Opened directly, it is as if it were not there.
  const plain = await context.newPage();
  await plain.setViewportSize({ width: 800, height: 700 });
  await plain.goto(`${prototype}/?review=off`);
  const without = await plain.evaluate(LOOK);
  await plain.goto(`${prototype}/`);
  const direct = await plain.evaluate(LOOK);
  for (const key of Object.keys(without)) demand(direct[key] === without[key], `opened directly, ${key} differs:\n${direct[key]}\n${without[key]}`);
  await plain.close();

  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 1000, height: 720 });
  await page.goto(parent);
  const say = (message) => page.evaluate((message) => window.say(message), message);
  const last = (type) => page.evaluate((type) => window.heard.findLast((message) => message.type === type), type);
  const hears = async (type, test = () => true) => {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await page.waitForTimeout(30)) {
      const message = await last(type);
      if (message && test(message)) return message;
    }
    throw new Error(`no ${type} came: ${JSON.stringify(await page.evaluate(() => window.heard.slice(-5)))}`);
  };
  const state = async (id, wanted) => {
    const told = await hears('review:pins', ({ pins }) => pins.find((pin) => pin.id === id)?.state === wanted);
    return told.pins.find((pin) => pin.id === id);
  };
  const frame = () => page.frames().find((each) => each.parentFrame() === page.mainFrame());
  const forget = () => page.evaluate(() => void (window.heard = []));

  const ready = await hears('review:ready');
  demand(ready.from === prototype && ready.title === 'Shop' && ready.version === 1 && ready.started === false, `ready: ${JSON.stringify(ready)}`);
  // Framed, but not started: still nothing to notice.
  const framed = await frame().evaluate(LOOK);
  for (const key of Object.keys(without)) demand(framed[key] === without[key], `framed, ${key} differs`);
  await say({ type: 'review:mode', mode: 'comment' });
  await say({ type: 'review:pins', pins: [{ id: 'x', selector: 'h1', anchor: null, page: '/', label: '1', title: '', status: 'open' }] });
  await page.waitForTimeout(200);
  demand((await last('review:pins')) === undefined, 'it speaks of pins before it was started');

  // Used, without pins: the prototype has its clicks and keys, and the page is the same.
  await forget();
  await say({ type: 'review:start', mode: 'use', theme: 'light', pins: [], keys: true });
  await hears('review:ready');
  await frame().click('text=Buy now');
  await page.keyboard.press('c');
  await hears('review:key', ({ key }) => key === 'c');
  demand(JSON.stringify(await frame().evaluate(() => window.worked)) === '["buy","c"]', 'the prototype has its clicks and keys');
  const used = await frame().evaluate(LOOK);
  for (const key of Object.keys(without)) demand(used[key] === without[key], `used, ${key} differs`);
  await frame().focus('input');
  await forget();
  await page.keyboard.press('n');
  await page.waitForTimeout(100);
  demand((await last('review:key')) === undefined, 'what is typed into a field stays there');
  await frame().evaluate(() => document.activeElement.blur());

  // A comment: on the button, though its icon or its text was clicked; the prototype does not hear of it.
  await frame().evaluate(() => void (window.worked = []));
  await say({ type: 'review:mode', mode: 'comment' });
  await frame().click('text=Buy now', { position: { x: 10, y: 5 } });
  const placed = await hears('review:placed');
  demand(placed.anchor.tag === 'button' && placed.anchor.text === 'Buy now' && placed.anchor.above !== '', `placed ${JSON.stringify(placed)}`);
  demand(placed.label === 'button “Buy now”' && placed.page === '/' && placed.rect.width > 20, `placed ${JSON.stringify(placed)}`);
  demand(JSON.stringify(placed.anchor).length < 8192, 'an anchor is small');
  demand((await frame().evaluate(() => window.worked.length)) === 0, 'a comment works the prototype');
  // By the keyboard: Tab goes through the page, Enter comments.
  await forget();
  await frame().focus('input');
  await page.keyboard.press('Enter');
  const typed = await hears('review:placed');
  demand(typed.anchor.tag === 'input' && typed.anchor.name === 'Search' && typed.anchor.attrs.name === 'q', `by keyboard ${JSON.stringify(typed)}`);
  // In a shadow root and in a frame.
  await forget();
  await frame().click('x-card');
  const shadowed = await hears('review:placed');
  demand(shadowed.selector.includes(' >>> ') && shadowed.anchor.text === 'in the shadow', `in a shadow root ${JSON.stringify(shadowed)}`);
  await forget();
  const inner = await frame().locator('iframe').boundingBox();
  await page.mouse.click(inner.x + 15, inner.y + 10);
  const inside = await hears('review:placed');
  demand(inside.selector.includes(' >>> ') && inside.anchor.text === 'framed', `in a frame ${JSON.stringify(inside)}`);
  await page.keyboard.press('Escape');
  await hears('review:key', ({ key }) => key === 'Escape');

  // Pins: each at its element, numbered, and operable.
  const pin = (id, { selector, anchor }, more) => ({ id, selector, anchor, page: '/p/shop/@d1/', label: id, title: `Comment ${id}`, status: 'open', ...more });
  const pins = [pin('1', placed), pin('2', typed, { status: 'resolved' }), pin('3', shadowed), pin('4', inside, { unread: true }), pin('5', { selector: 'footer', anchor: null }), pin('6', placed, { page: '/elsewhere' }), pin('7', { selector: '#gone', anchor: null })];
  await say({ type: 'review:mode', mode: 'use' });
  await say({ type: 'review:pins', pins });
  for (const id of ['1', '2', '3', '4']) demand((await state(id, 'exact')).rect, `pin ${id} has a place`);
  await state('5', 'selector');
  await state('6', 'elsewhere');
  await state('7', 'searching');
  await state('7', 'detached');
  const at = (await state('1', 'exact')).rect;
  await page.mouse.click(at.x + at.width * placed.anchor.point.x + 8, at.y + at.height * placed.anchor.point.y - 12);
  demand((await hears('review:pin')).id === '1', 'a pin is pressed');
  await forget();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  demand((await hears('review:pin')).id === '2', 'a pin is pressed by the keyboard');
  const body = await frame().evaluate(() => document.body.outerHTML);
  demand(body === without.html.slice(without.html.indexOf('<body'), without.html.lastIndexOf('</html>')), 'with pins the body is the same');
  await say({ type: 'review:show', id: '5' });
  await page.waitForTimeout(300);
  demand((await frame().evaluate(() => scrollY)) > 500, 'a pin far down is scrolled to');
  await say({ type: 'review:show', id: null });
  await frame().evaluate(() => scrollTo(0, 0));

  // Scrolling is told to who asked for it, and done as told.
  demand((await last('review:scroll')) === undefined, 'it tells its scrolling unasked');
  await say({ type: 'review:start', mode: 'use', theme: 'light', pins, keys: true, scroll: true });
  const { max } = await hears('review:scroll', ({ y }) => y === 0);
  demand(max > 500 && max === (await frame().evaluate(() => document.scrollingElement.scrollHeight - innerHeight)), `it can be scrolled ${max} pixels`);
  await frame().evaluate(() => scrollTo(0, 120));
  await hears('review:scroll', ({ y }) => y === 120);
  await say({ type: 'review:scroll', y: 300 });
  await hears('review:scroll', ({ y }) => y === 300);
  demand((await frame().evaluate(() => scrollY)) === 300, 'it is not scrolled');
  await say({ type: 'review:start', mode: 'use', theme: 'light', pins, keys: true });
  await frame().evaluate(() => scrollTo(0, 0));

  // The page changes: the button moves into another part and is called otherwise by the build.
  await frame().evaluate(() => {
    const button = document.querySelector('button');
    button.className = 'b-y2';
    const box = document.createElement('div');
    document.querySelector('h1').after(box);
    box.append(button);
  });
  await state('1', 'moved');
  // A framework takes it away and puts another one in: the pin stays.
  await forget();
  await frame().evaluate(() => {
    const button = document.querySelector('.b-y2');
    const home = button.parentElement;
    button.remove();
    setTimeout(() => (home.innerHTML = '<button><i></i><span>Buy now</span></button>'), 600);
  });
  await page.waitForTimeout(1500);
  const between = await page.evaluate(() => window.heard.filter(({ type }) => type === 'review:pins').map(({ pins }) => pins[0].state));
  demand(!between.includes('detached'), `an element that is away for a moment: ${between}`);
  await state('1', 'moved');
  // Hidden is not detached.
  await frame().evaluate(() => (document.querySelector('h1 + div').hidden = true));
  await state('1', 'hidden');
  // Gone, with a guess that is not taken.
  await frame().evaluate(() => document.querySelector('h1 + div').remove());
  const gone = await state('1', 'detached');
  demand(gone.rect === null, 'a detached pin is not drawn');

  // A router goes to another page: its pins are elsewhere, and come back.
  await frame().click('#to-about');
  const about = await hears('review:page', ({ title }) => title === 'About us');
  demand(new URL(about.page).pathname === '/about', `the page is ${about.page}`);
  await state('2', 'elsewhere');
  await say({ type: 'review:go', to: 'https://example.com/' });
  await say({ type: 'review:go', to: 'javascript:void(worked.push("script"))' });
  await forget();
  await say({ type: 'review:go', to: '/' });
  await hears('review:ready');
  demand(new URL(frame().url()).origin === prototype, 'it stays in the prototype');

  // Hostile messages are nothing, and nothing breaks.
  for (const message of [null, 7, {}, { type: 'review:start' }, { type: 'review:start', mode: 'use', pins: [null, { id: 'a' }, { id: 'b', selector: '<<', page: '/', anchor: { v: 1, tag: 'b', attrs: 7 } }] }, { type: 'review:pins', pins: 'x' }, { type: 'review:show', id: {} }, { type: 'review:go', to: 'http://[' }, { type: 'review:scroll', y: 'down' }, { type: 'review:scroll', y: 1e300 }]) {
    await page.evaluate((message) => frames[0].postMessage(message, '*'), message);
  }
  await say({ type: 'review:start', mode: 'use', theme: 'dark', pins: [pin('1', placed)], keys: false });
  await state('1', 'exact');
  if (task.screenshot) await page.screenshot({ path: task.screenshot });
});
