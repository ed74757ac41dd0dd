/** The bridge in a page full of traps, with a parent that says what the Editor's interface would say. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { PATIENCE, demand, run, task } from '../../browser/browser.mjs';

const NONCE = 'n0nce';
const bundle = readFileSync(task.bridge, 'utf8');

const serve = async (answer) => {
  const server = createServer((request, response) => answer(request, response));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${server.address().port}`;
};

const PAGE = (parent) => `<!doctype html><html><head><title>prototype</title><link rel="icon" href="data:,">
<script src="/bridge.js" data-parent-origin="${parent}" data-nonce="${NONCE}"></script>
<style>
  body { margin: 0; font: 16px/1.5 serif; }
  h1 { font: italic 700 40px/1.2 Georgia, serif; color: rgb(10, 80, 120); width: 500px; margin: 20px; }
  .below, .above { position: absolute; left: 20px; top: 300px; width: 200px; height: 80px; }
  .above { opacity: .1; }
  #contained { position: absolute; left: 400px; top: 560px; width: 300px; container-type: inline-size; }
  #turning { position: absolute; left: 400px; top: 300px; width: 60px; height: 60px; animation: turn 1s linear infinite; }
  @keyframes turn { to { transform: rotate(1turn); } }
</style></head><body>
<main data-desde-src="src/App.tsx:3:4">
  <h1 data-desde-src="src/App.tsx:4:6">Fish &amp; <em data-desde-src="src/App.tsx:4:20">fresh</em> chips</h1>
  <ul data-desde-src="src/List.tsx:2:4">
    <li data-desde-src="src/List.tsx:3:6">one</li><li data-desde-src="src/List.tsx:3:6">two</li><li data-desde-src="src/List.tsx:3:6">three</li>
  </ul>
  <button data-desde-src="src/App.tsx:9:6">Buy now</button>
  <p>No stamp here</p>
  <x-card data-desde-src="src/App.tsx:12:6"></x-card>
  <div class="below" data-desde-src="src/App.tsx:20:6">below</div><div class="above" data-desde-src="src/App.tsx:21:6"></div>
  <div id="turning"></div>
  <div id="contained"><b>contained</b></div>
  <iframe src="/inner" data-desde-src="src/App.tsx:30:6" style="position:absolute;left:20px;top:420px;width:300px;height:100px"></iframe>
</main>
<script>
  window.worked = [];
  document.querySelector('button').addEventListener('click', () => worked.push('click'));
  document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML = '<b data-desde-src="src/Card.ts:1:1">in the shadow</b>';
</script></body></html>`;
const INNER = '<!doctype html><body style="margin:0"><i data-desde-src="src/Inner.tsx:1:1">framed</i></body>';
const PARENT = (page) => `<!doctype html><title>parent</title><link rel="icon" href="data:,"><body style="margin:0"><script>
  window.heard = [];
  addEventListener('message', (event) => {
    heard.push({ ...event.data, from: event.origin });
    // As the interface does: it begins what is asked for, and names it.
    const { type, target, at, src } = event.data;
    const begin = () => say(window.declines ? { type: 'editor:no-edit', id: target.id } : { type: 'editor:edit-text', id: target.id, run: null, at, edit: 'edit of ' + target.src });
    if (type === 'editor:wants-text') setTimeout(begin, window.late ?? 0);
    if (type === 'editor:wants-drag') say({ type: 'editor:drag', src, edit: 'drag of ' + src });
  });
  window.say = (message, nonce = ${JSON.stringify(NONCE)}) => frames[0].postMessage({ ...message, nonce }, ${JSON.stringify(page)});
</script><iframe src="${page}" width="800" height="700" style="border:0"></iframe><input>`;

await run(async ({ context }) => {
  let parent = '';
  const prototype = await serve((request, response) => {
    const script = request.url === '/bridge.js';
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(script ? bundle : request.url === '/inner' ? INNER : PAGE(parent));
  });
  parent = await serve((_, response) => response.setHeader('content-type', 'text/html').end(PARENT(prototype)));

  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 900, height: 760 });
  await page.goto(parent);
  const frame = page.frames().find((each) => each.url().startsWith(prototype));

  const heard = async (type, test = () => true) => {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await page.waitForTimeout(20)) {
      const found = (await page.evaluate(() => window.heard)).filter((message) => message.type === type).filter(test).at(-1);
      if (found) return found;
    }
    throw new Error(`${type} was not heard: ${JSON.stringify(await page.evaluate(() => window.heard.slice(-3)))}`);
  };
  const forget = () => page.evaluate(() => void (window.heard.length = 0));
  const say = (message, nonce) => page.evaluate(([message, nonce]) => window.say(message, nonce), [message, nonce]);
  const box = async (selector) => (await frame.locator(selector).boundingBox());
  const middle = async (selector) => {
    const { x, y, width, height } = await box(selector);
    return [x + width / 2, y + height / 2];
  };
  const selected = (test) => heard('editor:selected', test);
  const clickOn = async (selector, options) => {
    await forget();
    await page.mouse.move(1, 1);
    await page.mouse.move(...(await middle(selector)));
    if (options?.alt) await page.keyboard.down('Alt');
    await page.mouse.click(...(await middle(selector)));
    if (options?.alt) await page.keyboard.up('Alt');
    return selected();
  };

  const ready = await heard('editor:ready');
  demand(ready.nonce === NONCE && ready.from === prototype, `it says hello without its nonce: ${JSON.stringify(ready)}`);

  // Without the run's nonce nothing is done.
  await say({ type: 'editor:mode', mode: 'select', freeze: false }, 'guessed');
  await frame.locator('button').click();
  demand((await frame.evaluate(() => window.worked.length)) === 1, 'a message without the nonce changed the mode');

  // Picking does not work the prototype.
  await say({ type: 'editor:mode', mode: 'select', freeze: false });
  const button = await clickOn('button');
  demand(button.target.src === 'src/App.tsx:9:6', `the button is ${button.target.src}`);
  demand((await frame.evaluate(() => window.worked.length)) === 1, 'the prototype heard the click');
  demand(button.target.styles['font-size'] !== '', 'computed styles are missing');

  // What a width does not decide is asked of the browser; what it does not read, it does not answer. Nothing stays behind.
  await say({ type: 'editor:mode', mode: 'use', freeze: false });
  await frame.evaluate(() => document.querySelector('#contained b').setAttribute('data-desde-src', 'src/App.tsx:40:6'));
  await say({ type: 'editor:select', src: 'src/App.tsx:40:6', index: 0 });
  const { id } = (await selected((message) => message.target?.src === 'src/App.tsx:40:6')).target;
  const holds = {
    '@media (max-width: 1024px)': true,
    '@media (min-width: 900px)': false,
    '@media print': false,
    '@supports (display: grid)': true,
    '@supports (display: nonsense)': false,
    '@container (min-width: 200px)': true,
    '@container (min-width: 400px)': false,
    '@container nobody (min-width: 1px)': false,
  };
  const unread = ['@media screen { * { color: red } } @media screen', '@import "x.css"', '@layer a', 'body'];
  await say({ type: 'editor:conditions', id, conditions: [...Object.keys(holds), ...unread] });
  const answer = await heard('editor:conditions');
  const sorted = (answers) => JSON.stringify(Object.entries(answers).sort());
  demand(answer.id === id && sorted(answer.holds) === sorted(holds), `it answers ${JSON.stringify(answer.holds)}`);
  demand((await frame.evaluate(() => document.adoptedStyleSheets.length)) === 0, 'the question left a stylesheet behind');
  await frame.evaluate(() => document.querySelector('#contained b').removeAttribute('data-desde-src'));
  await say({ type: 'editor:mode', mode: 'select', freeze: false });

  // The innermost of nested elements; where it stands among those of one position; where its component is used.
  demand((await clickOn('em')).target.src === 'src/App.tsx:4:20', 'the innermost element is selected');
  const item = await clickOn('li:nth-child(2)');
  demand(item.target.shared === 3 && item.target.index === 1, `item ${item.target.index} of ${item.target.shared}`);
  demand(item.target.within === 'src/App.tsx:3:4', `the list is used within ${item.target.within}`);
  demand(item.target.ancestors.length === 2, 'its ancestors are the list and the page');
  // What has no stamp belongs to what is around it.
  const plain = await clickOn('p');
  demand(plain.target.src === 'src/App.tsx:3:4', 'an element without a stamp belongs to the one around it');
  demand(plain.under[0].tag === 'p' && plain.under[0].src === null, `what was clicked is told: ${JSON.stringify(plain.under)}`);
  demand(item.under[0].src === item.target.src, 'what was clicked is what is selected');

  // Shadow roots and frames.
  demand((await clickOn('x-card b')).target.src === 'src/Card.ts:1:1', 'the element in the shadow root');
  await forget();
  const inner = await box('iframe');
  await page.mouse.click(inner.x + 20, inner.y + 10);
  const framed = await selected();
  demand(framed.target.src === 'src/Inner.tsx:1:1', `in the frame is ${framed.target.src}`);
  demand(Math.abs(framed.target.rect.y - inner.y) < 4, `its place is ${JSON.stringify(framed.target.rect)}`);
  demand(framed.target.selector.includes(' >>> '), `its selector is ${framed.target.selector}`);

  // What covers another is passed with Alt.
  const above = await clickOn('.above');
  demand(above.target.src === 'src/App.tsx:21:6' && above.under.length >= 2, 'the topmost is selected');
  const below = await clickOn('.above', { alt: true });
  demand(below.target.src === 'src/App.tsx:20:6', `with Alt it is ${below.target.src}`);

  // Editing a text in place: its look and the caret stay, and the framework's own node comes back.
  const look = () => frame.evaluate(() => {
    const span = document.querySelector('h1 [role=textbox]') ?? document.querySelector('h1');
    const { fontFamily, fontSize, fontStyle, fontWeight, color } = getComputedStyle(span);
    return JSON.stringify({ fontFamily, fontSize, fontStyle, fontWeight, color });
  });
  await frame.evaluate(() => void (window.node = document.querySelector('h1').lastChild));
  const [before, size] = [await look(), await box('h1')];
  const em = await box('em');
  await forget();
  await page.mouse.dblclick(em.x + em.width + 40, em.y + em.height / 2);
  await frame.locator('h1 [role=textbox]').waitFor();
  demand((await look()) === before, `the text looks like ${await look()}, it looked like ${before}`);
  demand(JSON.stringify(await box('h1')) === JSON.stringify(size), 'the heading has moved');
  const caret = await frame.evaluate(() => getSelection().anchorOffset);
  demand(caret > 0 && caret < 6, `the caret is at ${caret}`);
  await page.keyboard.press('End');
  await page.keyboard.type(' & peas');
  await page.keyboard.press('Enter');
  const text = await heard('editor:text');
  demand(text.src === 'src/App.tsx:4:6' && text.before === 'chips' && text.text === 'chips & peas' && text.run === 1, JSON.stringify(text));
  demand(text.edit === 'edit of src/App.tsx:4:6', `the text belongs to ${text.edit}`);
  demand(await frame.evaluate(() => document.querySelector('h1').lastChild === window.node && window.node.nodeValue === ' chips'), 'the node did not come back as it was');
  // Escape takes it back; a button takes spaces.
  await forget();
  await page.mouse.dblclick(...(await middle('button')));
  await frame.locator('button [role=textbox]').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.type(' or never');
  demand((await frame.locator('button').textContent()) === 'Buy now or never', 'spaces do not reach the text of a button');
  await page.keyboard.press('Escape');
  await heard('editor:text-cancelled');
  demand((await frame.locator('button').textContent()) === 'Buy now', 'Escape did not take the text back');
  demand((await frame.evaluate(() => window.worked.length)) === 1, 'editing worked the prototype');

  // Shift+Enter asks for a second line, which a text does not have: it ends nothing, and no key goes elsewhere.
  await forget();
  await page.mouse.dblclick(...(await middle('button')));
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  demand((await heard('editor:text')).text === 'Buy no', 'Shift+Enter does not stay in the text');
  demand(!(await page.evaluate(() => window.heard)).some(({ type }) => type === 'editor:key'), 'a key of a text goes to the interface');
  // A press elsewhere ends it as Enter does, so does a double click on another text; one beside the letters does not.
  await forget();
  await page.mouse.dblclick(...(await middle('button')));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Sell');
  const { x: edge, y: upper } = await box('button');
  await page.mouse.click(edge + 2, upper + 2);
  demand((await frame.locator('button [role=textbox]').count()) === 1, 'a press beside its letters ends a text');
  await page.mouse.dblclick(...(await middle('li:nth-child(2)')));
  demand((await heard('editor:text')).text === 'Sell', 'a text is lost by a double click on another one');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('second');
  await page.mouse.click(...(await middle('li:nth-child(1)')));
  const second = await heard('editor:text', ({ src }) => src === 'src/List.tsx:3:6');
  demand(second.text === 'second' && second.before === 'two' && second.index === 1, JSON.stringify(second));
  // The framework finds its own nodes meanwhile: what it writes is shown afterwards, what it removes ends the edit.
  await forget();
  const own = await box('em');
  const beside = async () => {
    await page.mouse.dblclick(own.x + own.width + 40, own.y + own.height / 2);
    await frame.locator('h1 [role=textbox]').waitFor();
    await page.keyboard.type('x');
  };
  await beside();
  await frame.evaluate(() => void (window.node.nodeValue = ' crisps'));
  await page.keyboard.press('Escape');
  await heard('editor:text-cancelled');
  demand((await frame.locator('h1').textContent()) === 'Fish & fresh crisps', 'what the framework wrote is lost');
  await frame.evaluate(() => void (window.node.nodeValue = ' chips'));
  await beside();
  await frame.evaluate(() => document.querySelector('h1').removeChild(window.node));
  demand((await heard('editor:text')).before === 'chips', 'a text that the framework takes away is lost');
  demand((await frame.locator('h1').textContent()) === 'Fish & fresh', 'something of the text stays');
  await frame.evaluate(() => document.querySelector('h1').append(window.node));
  // The interface's field loses the focus by a press in the page, as in any other page.
  await page.locator('input').focus();
  await page.mouse.click(...(await middle('button')));
  demand(await page.evaluate(() => document.activeElement.localName !== 'input'), 'the field keeps the focus');

  // Keys that are typed before the interface has answered are the text's, shortcuts among them; Enter waits for the name.
  for (const ends of [true, false]) {
    await page.evaluate(() => (window.late = 400));
    await page.mouse.click(1, 740);
    await forget();
    await page.mouse.dblclick(...(await middle('button')));
    await page.keyboard.press('Control+A');
    await page.keyboard.type(ends ? 'Now at once' : 'Now and then');
    if (ends) await page.keyboard.press('Enter');
    demand(!(await page.evaluate(() => window.heard)).some(({ type }) => type === 'editor:text'), 'a text without a name was told');
    await page.waitForTimeout(500);
    if (!ends) await page.keyboard.press('Enter');
    const early = await heard('editor:text');
    demand(early.text === (ends ? 'Now at once' : 'Now and then') && early.before === 'Buy now', JSON.stringify(early));
    demand(early.edit === 'edit of src/App.tsx:9:6', `the text belongs to ${early.edit}`);
    const keys = (await page.evaluate(() => window.heard)).filter(({ type }) => type === 'editor:key');
    demand(keys.length === 0, `the interface got ${JSON.stringify(keys)}`);
  }
  // Escape before the name: nothing is told, and the field does not open again.
  await forget();
  await page.mouse.dblclick(...(await middle('button')));
  await page.keyboard.type('x');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(500);
  demand((await frame.locator('button [role=textbox]').count()) === 0, 'the field opens again');
  // An edit that the interface does not begin is none.
  await page.evaluate(() => (window.declines = true));
  await page.mouse.dblclick(...(await middle('button')));
  await page.keyboard.type('Not this');
  await page.waitForTimeout(500);
  demand((await frame.locator('button').textContent()) === 'Buy now', 'an edit that nobody began stays');
  demand(!(await page.evaluate(() => window.heard)).some(({ type }) => type === 'editor:text'), 'an edit that nobody began is told');
  await page.evaluate(() => void ((window.declines = false), (window.late = 0)));

  // What is dragged comes back with the name that the interface gave the drag.
  await clickOn('button');
  await forget();
  await page.mouse.move(...(await middle('button')));
  await page.mouse.down();
  const [overX, overY] = await middle('h1');
  await page.mouse.move(overX, overY, { steps: 8 });
  await heard('editor:wants-drag');
  await page.mouse.move(overX, overY - 4, { steps: 4 });
  await page.mouse.up();
  const drop = await heard('editor:drop');
  demand(drop.src === 'src/App.tsx:9:6' && drop.edit === 'drag of src/App.tsx:9:6', JSON.stringify(drop));

  // Keys reach the interface.
  await forget();
  await page.keyboard.press('Control+z');
  const key = await heard('editor:key', (message) => message.key === 'z');
  demand(key.ctrl === true, JSON.stringify(key));

  // The framework makes the element anew: it stays selected, and its new place is told.
  await clickOn('li:nth-child(2)');
  await forget();
  await frame.evaluate(() => {
    const list = document.querySelector('ul');
    list.innerHTML = list.innerHTML;
  });
  const again = await selected((message) => message.target !== null);
  demand(again.target.index === 1 && again.target.src === 'src/List.tsx:3:6', 'the element was lost');
  await forget();
  await frame.evaluate(() => document.querySelectorAll('li').forEach((each) => each.setAttribute('data-desde-src', 'src/List.tsx:5:6')));
  demand((await heard('editor:moved')).target.src === 'src/List.tsx:5:6', 'the new position is not told');

  // Freezing, and going on.
  const angle = () => frame.evaluate(() => getComputedStyle(document.querySelector('#turning')).transform);
  await say({ type: 'editor:mode', mode: 'select', freeze: true });
  await page.waitForTimeout(100);
  const still = await angle();
  await page.waitForTimeout(150);
  demand((await angle()) === still, 'the animation goes on while it is frozen');
  await say({ type: 'editor:mode', mode: 'use', freeze: false });
  await page.waitForTimeout(150);
  demand((await angle()) !== still, 'the animation does not go on');
  await frame.locator('button').click();
  demand((await frame.evaluate(() => window.worked.length)) === 2, 'the prototype does not work again');

  // Structure, selection by stamp, previews, pins.
  await forget();
  await say({ type: 'editor:structure' });
  const { nodes } = await heard('editor:structure');
  demand(nodes.length === 1 && nodes[0].children.length >= 6, `the structure is ${JSON.stringify(nodes)}`);
  await say({ type: 'editor:select', src: 'src/List.tsx:5:6', index: 2, scroll: true });
  const third = await selected((message) => message.target?.index === 2);
  await say({ type: 'editor:preview', id: third.target.id, property: 'color', value: 'rgb(1, 2, 3)' });
  const colour = () => frame.evaluate(() => getComputedStyle(document.querySelectorAll('li')[2]).color);
  await page.waitForTimeout(50);
  demand((await colour()) === 'rgb(1, 2, 3)', 'a preview shows nothing');
  await say({ type: 'editor:preview', id: third.target.id, property: 'color', value: null });
  await page.waitForTimeout(50);
  demand((await colour()) !== 'rgb(1, 2, 3)', 'a preview stays');

  // What another page leads is selected without a word; previews then need no handle.
  await forget();
  await say({ type: 'editor:select', src: 'src/List.tsx:5:6', index: 0, quiet: true });
  await say({ type: 'editor:preview', property: 'color', value: 'rgb(4, 5, 6)' });
  await page.waitForTimeout(50);
  demand((await frame.evaluate(() => getComputedStyle(document.querySelector('li')).color)) === 'rgb(4, 5, 6)', 'a preview of the selected element shows nothing');
  await say({ type: 'editor:preview', property: 'color', value: null });
  demand(!(await page.evaluate(() => window.heard)).some(({ type }) => type === 'editor:selected'), 'a quiet selection is answered');

  // Shift adds to what is selected; choices and shared rules are outlined.
  await say({ type: 'editor:mode', mode: 'select', freeze: false });
  await forget();
  await page.keyboard.down('Shift');
  await page.mouse.click(...(await middle('button')));
  await page.keyboard.up('Shift');
  demand((await heard('editor:added')).target.tag === 'button', 'a click with Shift adds nothing');
  await say({ type: 'editor:mark', places: [{ src: 'src/List.tsx:5:6' }, { src: 'src/App.tsx:9:6', index: 0 }] });
  demand((await heard('editor:marked')).count === 4, 'places are not outlined');
  await forget();
  await say({ type: 'editor:select', src: 'src/App.tsx:20:6', index: 0, quiet: true });
  await say({ type: 'editor:mark', places: [], property: 'left' });
  demand((await heard('editor:marked')).count === 2, 'the elements of one rule are not found');
  await say({ type: 'editor:mark', places: [] });

  // Before and after: what was kept is shown over the page, and is no part of it.
  await say({ type: 'editor:preview', property: 'color', value: 'rgb(7, 7, 7)' });
  await say({ type: 'editor:keep' });
  await say({ type: 'editor:preview', property: 'color', value: null });
  await frame.evaluate(() => (document.querySelector('h1').textContent = 'Changed'));
  await forget();
  await say({ type: 'editor:before', show: 'edit' });
  demand((await heard('editor:before')).shown, 'nothing was kept');
  const earlier = frame.frameLocator('iframe[data-galley-before]').locator('h1');
  await earlier.getByText(/Fish/).waitFor();
  demand((await earlier.evaluate((element) => getComputedStyle(element).color)) === 'rgb(10, 80, 120)', 'the page of before has lost its styles');
  const earlierBelow = frame.frameLocator('iframe[data-galley-before]').locator('.below');
  demand((await earlierBelow.evaluate((element) => getComputedStyle(element).color)) !== 'rgb(7, 7, 7)', 'a preview is taken for how the page was');
  await forget();
  await say({ type: 'editor:structure' });
  const now = JSON.stringify((await heard('editor:structure')).nodes);
  demand(now.includes('Changed') && now.split('src/App.tsx:4:6').length === 2, 'the page of before is taken for a part of the page');
  await say({ type: 'editor:before', show: null });
  await page.waitForTimeout(50);
  demand((await frame.locator('iframe[data-galley-before]').count()) === 0, 'the page of before stays');
  await say({ type: 'editor:mode', mode: 'comment', freeze: false });
  await forget();
  await page.mouse.click(...(await middle('button')));
  const placed = await heard('editor:placed');
  demand(Math.abs(placed.x - 0.5) < 0.05 && placed.target.tag === 'button', JSON.stringify(placed));
  demand(placed.anchor.text === 'Buy now' && placed.anchor.v === 1 && JSON.stringify(placed.anchor).length < 8192, JSON.stringify(placed.anchor));
  const pin = { id: 'c1', selector: placed.target.selector, anchor: placed.anchor, page: '/', label: '1', title: 'Comment 1', status: 'open' };
  const stateOfPin = (wanted) => heard('editor:pins', ({ pins }) => pins[0]?.state === wanted);
  await forget();
  await say({ type: 'editor:pins', pins: [pin] });
  await stateOfPin('exact');
  await forget();
  const [x, y] = await middle('button');
  await page.mouse.click(x + 10, y - 10);
  demand((await heard('editor:pin')).id === 'c1', 'a pin cannot be opened');

  // Another button takes the place that the selector names: the pin stays with what was commented.
  await forget();
  await frame.evaluate(() => {
    const bought = document.querySelector('button');
    const other = document.createElement('button');
    other.textContent = 'Send a card';
    bought.replaceWith(other);
    document.querySelector('main > p').append(bought);
  });
  const { pins: [moved] } = await stateOfPin('moved');
  const there = await box('main > p button');
  demand(Math.abs(moved.rect.x - there.x) < 1 && Math.abs(moved.rect.y - there.y) < 1, `the pin is at ${JSON.stringify(moved.rect)}, the button at ${JSON.stringify(there)}`);
  await forget();
  await frame.evaluate(() => document.querySelector('main > p button').remove());
  const { pins: [gone] } = await stateOfPin('detached');
  demand(gone.rect === null, 'a pin without its element is drawn');
});
