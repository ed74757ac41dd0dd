// A double of the program for working on the interface: `node ui/test/mock.mjs [port]` after `npm run build:ui`.
// It answers what API.md says with canned values and shows a page with the real bridge in it; it edits nothing.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** 0 takes free ports. */
let port = Number(process.argv[2] ?? 4400);
let pagePort = port === 0 ? 0 : port + 1;
const nonce = 'nonce-of-the-mock';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const able = { text: true, attribute: true, style: true, class: true, insert: true, move: true, duplicate: true, delete: true, detach: 'The lane is dormant', swap: 'The lane is dormant' };

const card = (index, title, text) => `<article data-desde-src="src/Card.tsx:8:4" class="card" style="background:#fff;border:1px solid #e3e5ea;border-radius:12px;padding:20px">
  <h3 data-desde-src="src/Card.tsx:9:6" style="margin:0 0 6px">${title}</h3><p data-desde-src="src/Card.tsx:10:6" style="margin:0;color:#555b68">${text}</p>
  <a href="#${index}" data-desde-src="src/App.tsx:${20 + index}:10" style="color:#3f4fd6">Read more</a></article>`;
const page = () => `<!doctype html><html lang="en"><head><script src="/bridge.js" data-parent-origin="http://127.0.0.1:${port}" data-nonce="${nonce}"></script><title>Prototype</title></head>
<body style="margin:0;font:16px/1.5 system-ui;background:#f7f8fa;color:#1c2029"><div id="root"><main id="content" data-desde-src="src/App.tsx:12:4" style="max-width:880px;margin:0 auto;padding:48px 24px">
<header data-desde-src="src/App.tsx:13:6"><h1 data-desde-src="src/App.tsx:14:8" class="text-3xl font-bold" style="font-size:40px;margin:0">Ship the design you meant</h1>
<p data-desde-src="src/App.tsx:15:8" style="font-size:18px;color:#555b68">Every change lands in the source, exactly where it stands.</p>
<button data-desde-src="src/App.tsx:16:8" class="btn btn-primary" style="background:#3f4fd6;color:#fff;border:0;border-radius:8px;padding:10px 18px;font:inherit">Start now</button><img data-desde-src="src/App.tsx:17:8" alt="A rocket" width="40" height="40" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"></header>
<section data-desde-src="src/App.tsx:18:6" style="display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:16px;margin-top:32px">
${card(0, 'Exact', 'Byte ranges, never a printer.')}${card(1, 'Honest', 'What is not certain is refused, with the reason.')}${card(2, 'Quick', 'Hot reload shows it at once.')}</section></main></div></body></html>`;

const inspection = (src) => ({
  ok: true, src, path: src.split(':')[0], hash: 'h', language: 'jsx', tag: src.includes('Card.tsx:8') ? 'article' : src.includes(':14:') ? 'h1' : src.includes(':17:') ? 'img' : 'p', component: src.includes('Card') ? 'Card' : 'App',
  isComponent: false, repeated: src.includes('Card'), conditional: false,
  attributes: [...(src.includes(':17:') ? [{ name: 'src', value: '/old.png', form: 'literal', editable: true, why: null }] : []), { name: 'className', value: 'text-3xl font-bold', form: 'literal', editable: true, why: null }, { name: 'id', value: 'top', form: 'literal', editable: true, why: null }, { name: 'onClick', value: 'start', form: 'expression', editable: false, why: 'It is an expression; change it in the code.' }],
  classes: { list: ['text-3xl', 'font-bold'], editable: true, why: null, form: 'literal' },
  text: [{ run: 0, text: 'Ship the design you meant', form: 'translation', editable: true, why: null, at: 'src/locales/en.json:4:12', shared: 2, choices: [] }, { run: 1, text: '{count}', form: 'expression', editable: false, why: 'The text is computed while the page runs, so no characters of the source are it.', at: 'src/App.tsx:14:40', shared: 1, choices: [] }],
  utilities: src.includes('Card') ? null : { fresh: true, set: [{ class: 'text-3xl', variants: [], properties: ['font-size'], among: ['line-height'] }, { class: 'font-bold', variants: [], properties: ['font-weight'], among: [], tokens: ['font-bold'] }] },
  styles: [{ property: 'font-size', value: '40px', from: 'module', at: 'src/App.module.css:12:2', editable: true, why: null }, { property: 'color', value: 'var(--ink)', from: 'stylesheet', at: 'src/index.css:3:2', editable: true, why: null, shared: 12, wins: true, tokens: ['--ink'] }, { property: 'margin-top', value: '0', from: 'inline', at: 'src/App.tsx:14:20', editable: true, why: null }],
  usages: src.includes('Card') ? [{ src: 'src/App.tsx:19:8', component: 'Card', path: 'src/App.tsx', text: '<Card title="Exact" />', likely: true }, { src: 'src/Other.tsx:9:8', component: 'Card', path: 'src/Other.tsx', text: '<Card title="Other" />', likely: false }] : [],
  can: able,
});
const diff = `diff --git a/src/App.tsx b/src/App.tsx\n--- a/src/App.tsx\n+++ b/src/App.tsx\n@@ -12,4 +12,4 @@ export default function App() {\n     <main>\n-      <h1 className="text-3xl">Ship the design</h1>\n+      <h1 className="text-3xl">Ship the design you meant</h1>\n       <p>Every change</p>\n`;
const SETS = { text: 'font-size', font: 'font-weight', p: 'padding' };
const classes = ['text-sm', 'text-base', 'text-3xl', 'font-bold', 'p-4', 'p-6'].map((name) => ({ name, from: 'Tailwind', preview: '', sets: SETS[name.split('-')[0]] }));
const colours = { slate: '#64748b', indigo: '#6366f1', rose: '#f43f5e', emerald: '#10b981' };

const provider = (id, name, key, more = {}) => ({ id, name, key, variable: `${id.toUpperCase()}_API_KEY`, model: null, defaultModel: 'a-large-model', modelVariable: null, baseUrl: null, defaultBaseUrl: `https://api.${id}.example`, baseUrlVariable: null, ...more });
const MODELS = { provider: 'anthropic', chosenBy: 'stored', ready: true, subscription: false, missing: null, problem: null, providerVariable: null, providers: [provider('anthropic', 'Anthropic', { source: 'stored' }), provider('openai', 'OpenAI', { source: 'environment' }, { modelVariable: 'EDITOR_MODEL' }), provider('gemini', 'Gemini', null), provider('compatible', 'Compatible', null, { defaultModel: null, defaultBaseUrl: null })] };
const cost = { usd: 0.0312, sure: true, input: 9200, output: 410, cacheRead: 7000, cacheWrite: 900 };
const chat = (id, title, status) => ({ id, title, createdAt: 1, updatedAt: 2, status, turn: status === 'waiting' ? 't3' : null, turns: 3, cost, ceilingUsd: 5 });
const CHATS = [chat('c1', 'Cards of one height', 'waiting'), chat('c2', 'A calmer page', 'failed'), chat('c3', 'Words', 'idle'), chat('c4', 'Colours', 'idle'), chat('c5', 'The oldest', 'idle')];
const TURN = {
  id: 't2', at: 2, endedAt: 3, text: 'Make these cards equally high', selection: [{ src: 'src/Card.tsx:8:4', label: '<article> Card.tsx:8' }], page: '/', model: 'a-large-model', status: 'done', failure: null, cost, edits: ['1'], undone: false, goal: { verdict: 'reached', why: 'All three cards are 180 pixels high.' },
  items: [
    { n: 0, type: 'conventions', taken: [{ path: 'AGENTS.md', bytes: 210 }], left: [{ path: 'docs/long.md', why: 'it is longer than 32 KB' }] },
    { n: 1, type: 'thinking', text: 'The cards stand in a grid.' },
    { n: 2, type: 'tool', tool: 'read_file', title: 'Read src/Card.tsx', server: null, status: 'done', detail: '14 lines' },
    { n: 3, type: 'tool', tool: 'write_file', title: 'Write a file', server: 'files', status: 'refused', detail: 'Its name does not begin as that of a reading tool.' },
    { n: 4, type: 'notice', level: 'warning', code: 'mcp', words: 'The server “icons” does not answer; its tools are left out.' },
    { n: 5, type: 'text', text: '## Equal heights\n\nThe grid **stretches** them:\n\n- `align-items`\n- a [link](https://example.org)\n\n```css\n.grid { align-items: stretch; }\n```\n\n![a picture](https://example.org/x.png) <b>no HTML</b>' },
    { n: 6, type: 'edit', editId: '1', title: 'Stretch the cards', files: [{ path: 'src/App.tsx', diff }], by: 'propose', before: null, after: null },
  ],
};
const ASKING = { ...TURN, id: 't3', at: 3, endedAt: null, text: 'Ask the design system', selection: [], status: 'waiting', edits: [], goal: null, cost: null, items: [{ n: 0, type: 'approval', approval: 'a1', about: 'server', title: 'Start the server “tokens”', detail: 'npx tokens-server --stdio', choices: ['once', 'session', 'no'], answer: null }] };

const ANSWERS = {
  '/api/editor/state': () => ({
    root: '/prototypes/launch-page', name: 'launch-page', framework: 'react', host: { kind: 'vite', status: 'running', words: '', log: ['VITE ready in 412 ms'] }, previewUrl: `http://127.0.0.1:${pagePort}/`,
    nonce, branch: 'main', features: { codeView: true, notes: true, canvas: false, vscodeLink: true, detach: false, swap: false, detachedSessions: true, reloadBackstop: false }, warnings: [], unstamped: [{ path: 'src/legacy.js', why: 'it cannot be parsed' }], version: '0.0.0',
  }),
  '/api/editor/inspect': (query) => inspection(query.get('src') ?? ''),
  '/api/editor/tree': (query) =>
    query.get('path')
      ? { path: query.get('path'), hash: 'h', nodes: [{ src: `${query.get('path')}:12:4`, tag: 'main', component: false, text: '', children: [{ src: `${query.get('path')}:19:8`, tag: 'Card', component: true, text: '', children: [] }] }] }
      : { files: [{ path: 'src/App.tsx', elements: 9, components: ['App'] }, { path: 'src/Card.tsx', elements: 4, components: ['Card'] }] },
  '/api/editor/edit': (_, body) => (body.kind === 'duplicate' ? { ok: false, code: 'repeated', reason: 'The element is what a list shows for each item: change the list’s items.', fallback: 'repair' } : body.kind === 'delete' ? { ok: false, code: 'spread-after', reason: 'A spread follows, so the attribute could be overwritten. Change it in the code.' } : body.kind === 'text' && !body.scope ? { ok: false, code: 'choice-needed', reason: 'The text belongs to a list. Change this item, or what all of them share?', choices: [{ option: 'scope', value: 'item', label: 'This item: “Exact”' }, { option: 'scope', value: 'all', label: 'All three items' }] } : { editId: '1', files: [{ path: 'src/App.tsx', diff }], src: body.src }),
  '/api/editor/llm-fallback': (_, body) => ({ editId: '1', files: [{ path: 'src/App.tsx', diff }], src: body.src, notes: [], lane: 'repair', why: 'The list has one item more.', verified: 'preview', cost: { calls: 1, inputTokens: 900, outputTokens: 60, usd: 0.0042, estimated: true } }),
  '/api/models': (_, body) => (typeof body.key === 'string' ? { ok: false, code: 'key-refused', reason: 'Anthropic refused the key, so it was not kept.', words: 'invalid x-api-key' } : MODELS),
  '/api/models/available': () => ({ models: ['a-large-model', 'a-small-model'] }),
  '/api/editor/chat/sessions': (_, body) => ('title' in body ? { session: CHATS[0] } : { sessions: CHATS, session: CHATS[0], single: false }),
  '/api/editor/chat/sessions/c1': (query) => (query.get('before') === 't2' ? { session: CHATS[0], turns: [{ ...TURN, id: 't1', at: 1, text: 'What is there?', items: [{ n: 0, type: 'text', text: 'Three cards and a heading.' }], edits: [], goal: null }], more: false, seq: 3 } : { session: CHATS[0], turns: [TURN, ASKING], more: true, seq: 3 }),
  '/api/editor/chat/sessions/c2': () => ({ session: CHATS[1], turns: [{ ...TURN, id: 't9', text: 'Calm down', status: 'failed', items: [], edits: [], goal: null, failure: { kind: 'authentication', words: 'Authentication failed (401). Replace the key from the settings gear, then start a new chat turn.', retrySeconds: null, subscription: false } }], more: false, seq: 1 }),
  '/api/editor/chat/sessions/c1/approvals/a1': () => ({}),
  '/api/editor/undo': () => ({ editId: '1', files: [{ path: 'src/App.tsx', diff }] }),
  '/api/editor/history': () => ({ entries: [{ editId: '2', at: new Date().toISOString(), title: 'Set color of <h1>', files: ['src/App.module.css'], undone: true }, { editId: '1', at: new Date(Date.now() - 4e6).toISOString(), title: 'Edit text of <h1>', files: ['src/App.tsx'], undone: false }], canUndo: true, canRedo: true }),
  '/api/editor/classes': () => ({ classes: [...classes, ...Object.entries(colours).map(([name, value]) => ({ name: `bg-${name}-500`, from: 'Tailwind', preview: value, sets: 'background-color' }))], breakpoints: [{ name: 'md', width: 768 }, { name: 'lg', width: 1024 }], tokens: [{ name: '--ink', value: '#111827', standsFor: '#111827', at: 'src/index.css:1:9' }, { name: '--ink-soft', value: '#333a45', standsFor: '#333a45', at: 'src/index.css:1:20' }] }),
  '/api/editor/components': () => ({ components: [
    { name: 'Card', path: 'src/components/Card.tsx', export: 'Card', props: [{ name: 'title', kind: 'text', required: true, type: 'string' }, { name: 'tone', kind: 'choice', options: ['calm', 'loud'], required: false, type: 'Tone' }, { name: 'open', kind: 'boolean', required: false, type: 'boolean' }], more: false, content: true, why: null },
    { name: 'Page', path: 'src/Page.tsx', export: 'default', props: [], more: false, content: false, why: 'Page shows App, which the place is in: both would show each other for ever. Choose another place' },
  ] }),
  '/api/editor/file': (query) => ({ path: query.get('path'), text: "import { Card } from './Card.tsx';\n\nexport default function App() {\n  return (\n    <main>\n      <h1>Ship the design you meant</h1>\n    </main>\n  );\n}\n", hash: 'h' }),
  '/api/editor/assets': (query) => (query.get('name') ? { path: `${query.get('folder')}/${query.get('name')}`, address: query.get('folder') === 'public' ? `/${query.get('name')}` : null, editId: '7', files: [] } : { assets: [{ path: 'public/logo.svg', address: '/logo.svg' }, { path: 'src/assets/hero.png', address: null }], folders: ['public', 'src/assets'] }),
  '/api/editor/notes/': () => ({ notes: ['ideas'] }),
  '/api/editor/notes/ideas': () => ({ text: '# Ideas\n', hash: 'h' }),
  '/api/git/status': () => ({ identity: false, steps: [{ title: 'Edit text of <h1>', files: ['src/App.tsx'] }], branch: 'main', head: 'abc1234', upstream: 'origin/main', ahead: 1, behind: 0, files: [{ path: 'src/App.tsx', state: 'modified', staged: false }, { path: 'README.md', state: 'modified', staged: true }] }),
  '/api/git/branches': () => ({ current: 'main', branches: [{ name: 'main', current: true, upstream: 'origin/main', subject: 'Begin' }, { name: 'header', current: false, upstream: null, subject: 'Try a header' }] }),
  '/api/git/diff': () => ({ files: [{ path: 'src/App.tsx', diff }] }),
  '/api/git/publish': () => ({ remote: 'origin', url: 'git@example.org:launch-page.git', branch: 'main', newBranch: false, commits: [{ id: 'abc1234def', subject: 'Say it shorter' }], blocked: null }),
  '/api/project': () => ({ linked: { id: 'p', slug: 'launch-page', name: 'Launch page', viewerUrl: 'https://review.example.org/p/launch-page', baseUrl: 'https://review.example.org' }, signedIn: true }),
  '/api/project/comments': () => ({ comments: [{ id: 'c1', body: 'Could this be shorter?', position: { anchorSelector: 'h1', page: '/' }, author: { uid: 'user:1', displayName: 'Reviewer' }, resolved: false, replies: [{ id: 'r1', body: 'On it, @Reviewer.', mentions: ['user:1'], author: { uid: 'user:2', displayName: 'Designer' }, createdAt: new Date().toISOString() }], createdAt: new Date(Date.now() - 9e6).toISOString() }, { id: 'c2', body: 'More contrast please', position: { anchorSelector: 'button', page: '/pricing' }, author: { displayName: 'Guest' }, resolved: true, replies: [], createdAt: new Date().toISOString() }] }),
  '/api/project/participants': () => ({ participants: [{ id: 'user:1', displayName: 'Reviewer', status: 'active' }, { id: 'user:2', displayName: 'Designer', status: 'active' }, { id: 'p_3', displayName: 'guest', status: 'pending' }] }),
  '/api/settings': () => ({ settings: [{ key: 'editor.codeView', kind: 'boolean', value: true, file: '.tool/config.json', default: false, description: 'In-app code view.', restart: true, problem: null }, { key: 'retention.backups.keepNewest', kind: 'number', isSet: true, value: 200, file: '.tool/config.json', default: 200, description: 'Keep at most this many backups.', restart: true, problem: null }, { key: 'webFetch.allowedHosts', kind: 'texts', isSet: true, value: ['example.org'], file: 'tool.config.json', default: [], description: 'Hosts the agent may fetch from.', restart: false, works: false, problem: 'An entry must be a bare host name.' }, { key: 'chat.costCeilingUsd', kind: 'number', value: null, file: '.tool/config.json', default: null, description: 'What one chat session may cost.', restart: true, works: false, problem: null }], warnings: [] }),
};

const api = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname.endsWith('/events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': ping\n\n');
    return;
  }
  if (pathname.startsWith('/api/')) {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const answer = ANSWERS[pathname]?.(searchParams, text === '' || request.headers['content-type'] !== 'application/json' ? {} : JSON.parse(text)) ?? {};
      response.writeHead(answer.ok === false ? 422 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: true, ...answer }));
    });
    return;
  }
  const name = pathname === '/' ? '/index.html' : pathname;
  const csp = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-src http://127.0.0.1:${pagePort}; form-action 'none'; base-uri 'none'`;
  try {
    const file = readFileSync(join(here, '../dist', name));
    response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'content-security-policy': csp });
    response.end(file);
  } catch {
    response.writeHead(404).end();
  }
});

const prototype = createServer((request, response) => {
  const bridge = request.url === '/bridge.js';
  response.writeHead(200, { 'content-type': `${bridge ? 'text/javascript' : 'text/html'}; charset=utf-8` });
  response.end(bridge ? readFileSync(join(here, '../../bridge/dist/bridge-bundle.js')) : page());
});

prototype.listen(pagePort, '127.0.0.1', () => {
  pagePort = prototype.address().port;
  api.listen(port, '127.0.0.1', () => {
    port = api.address().port;
    console.log(`http://127.0.0.1:${port}`);
  });
});
