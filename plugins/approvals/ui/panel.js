// The panel of the review: who approved the version in view, and the reader's own approval.
import { connect } from './galley-ui.js';

/** How often the list is read again, in milliseconds. */
const INTERVAL = 10_000;

const galley = await connect();
const part = (id) => document.getElementById(id);
let shown;

const address = () => `/api/v1/projects/${galley.context.project.id}/approvals`;

async function show() {
  const { deployment, me } = galley.context;
  shown = deployment?.id;
  part('own').hidden = !deployment || !me;
  part('of').textContent = deployment ? `Version ${deployment.number ?? ''}` : 'Approvals';
  if (!deployment) return say('There is no version to approve yet.', []);
  const { status, body } = await galley.get(`${address()}?deployment=${encodeURIComponent(deployment.id)}`);
  if (shown !== deployment.id) return;
  if (status !== 200) return say(body?.error ?? 'The approvals cannot be read right now.', []);
  const has = body.approvals.some(({ userId }) => userId === me?.id);
  say(body.approvals.length === 0 ? 'Nobody has approved it yet.' : '', body.approvals);
  part('own').setAttribute('aria-pressed', String(has));
  part('own').textContent = has ? 'Withdraw my approval' : 'Approve this version';
}

function say(words, approvals) {
  const dates = new Intl.DateTimeFormat(galley.context.locale, { dateStyle: 'medium', timeStyle: 'short' });
  part('note').textContent = words;
  part('list').replaceChildren(
    ...approvals.map(({ name, at }) => {
      const [item, who, when] = ['li', 'span', 'time'].map((tag) => document.createElement(tag));
      who.textContent = name;
      when.textContent = dates.format(new Date(at));
      when.dateTime = at;
      item.append(who, when);
      return item;
    }),
  );
}

async function toggle() {
  const own = part('own');
  const withdraw = own.getAttribute('aria-pressed') === 'true';
  own.disabled = true;
  try {
    const { status, body } = await galley[withdraw ? 'delete' : 'put'](`${address()}/${encodeURIComponent(shown)}`);
    if (status >= 400) galley.toast(body?.error ?? 'This did not work.');
    await show();
  } finally {
    own.disabled = false;
  }
}

const again = () => show().catch((error) => say(error.message, []));
part('own').addEventListener('click', () => toggle().catch((error) => galley.toast(error.message)));
galley.onContext(again);
setInterval(() => document.hidden || again(), INTERVAL);
again();
