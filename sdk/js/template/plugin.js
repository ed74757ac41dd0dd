// A plugin to start from: it greets people in a project and counts how often it did.

import { Refused, batch, plugin } from './galley-sdk/sdk/js/galley.js';
import migrations from './migrations.js';

const GREETED = `INSERT INTO greetings (project_id, name) VALUES (?1, ?2)
                 ON CONFLICT (project_id, name) DO UPDATE SET times = greetings.times + 1 RETURNING times`;

export const handler = plugin(
  { slot: 'hello', version: '0.1.0', migrations },
  {
    'POST /api/v1/projects/{project}/x/hello': {
      summary: 'Greet somebody',
      guard: { kind: 'project:comment' },
      body: { kind: 'json' },
      handle: greet,
    },
  },
);

/** `{ "name": "Ann" }` is answered with `{ "greeting": "Hello, Ann!", "times": 1 }`. */
function greet(request) {
  const { name } = request.json();
  if (typeof name !== 'string') throw new Refused(400, '`name` must be a string');
  if (!name.trim()) throw new Refused(400, '`name` must not be empty');
  const [[[times]]] = batch([GREETED, request.project, name.trim()]);
  return { greeting: `Hello, ${name.trim()}!`, times };
}
