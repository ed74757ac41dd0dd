// Galley's plugins in JavaScript: routes, JSON and SQL. `template/plugin.js` beside it shows each of them in use.
//
// A handler gets a `Request` and returns what becomes JSON, `undefined` (204) or a `Response`. An exception that it does not catch
// is a 500 whose stack goes to the server's log. `config.js` has settings and `outbound.js` requests to other hosts, for worlds that
// import these; the rest of the contract is imported as starlingmonkey.js imports the SQL.

import { Problem, Refused, Response } from './answers.js';

export { Problem, Refused, Response };
export { batch, listing, query } from './sql.js';

/** @import { Request as HostRequest } from 'galley:http/types@1.0.0' */
/** @import { Job as HostJob } from 'galley:jobs/types@1.0.0' */
/** @typedef {(request: Request) => unknown} Handle */
/** @typedef {string | { sql: string, down?: string, postgres?: { sql: string, down?: string } }} Migration */

/** One request. The host keeps it, and is asked for what a handler uses of it; `host` has the methods of `galley:http`. */
export class Request {
  /** @param {HostRequest} host @param {string[]} names */
  constructor(host, names) {
    this.host = host;
    this.names = names;
  }

  /** The values of the route's `{parameters}`. @returns {Record<string, string>} */
  get params() {
    return Object.fromEntries(this.host.params().map((value, index) => [this.names[index], value]));
  }

  /** The project that a `project:…` guard found. */
  get project() {
    return this.host.project() ?? '';
  }

  /** The body, which has to be an object. Can be taken once. @returns {Record<string, unknown>} */
  json() {
    let body;
    try {
      body = JSON.parse(new TextDecoder().decode(this.host.takeBody()));
    } catch (error) {
      throw new Refused(400, `The body is not JSON: ${error instanceof Error ? error.message : error}`);
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new Refused(400, 'The body must be a JSON object');
    }
    return body;
  }
}

/**
 * What a plugin exports: `export const handler = plugin({ slot, version, … }, { 'GET /api/v1/x/…': { guard, handle } })`.
 * @param {{ slot: string, version: string, migrations?: Migration[], [key: string]: unknown }} manifest see wit/README.md; a
 *   migration is its SQL, or `{ sql, postgres: { sql } }` where it is another one on PostgreSQL
 * @param {Record<string, { handle: Handle, guard: object, [key: string]: unknown }>} routes by method and path
 */
export function plugin({ migrations = [], ...manifest }, routes) {
  const handlers = Object.entries(routes).map(([route, { handle, ...rest }]) => {
    const [method = '', path = ''] = route.split(' ');
    const names = path.split('/').flatMap((part) => (part.startsWith('{') ? [part.slice(1, -1)] : []));
    return { handle, names, route: { method, path, ...rest } };
  });
  const steps = migrations.map((step, index) => ({ version: index + 1, ...(typeof step === 'string' ? { sql: step } : step) }));
  const described = { ...manifest, routes: handlers.map(({ route }) => route), migrations: steps };
  return {
    describe: () => new TextEncoder().encode(JSON.stringify(described)),
    /** @param {HostRequest} request */
    handle(request) {
      const { handle, names } = /** @type {typeof handlers[0]} */ (handlers[request.route()]);
      try {
        const answer = handle(new Request(request, names));
        if (answer === undefined) return new Response(204, new Uint8Array(), []);
        return answer instanceof Response ? answer : json(200, answer);
      } catch (error) {
        if (error instanceof Refused) return json(error.status, { error: error.message });
        throw error;
      }
    },
  };
}

/**
 * What a plugin with jobs exports as well: `export const jobs = runs({ tidy() { … } })`, where the manifest says
 * `jobs: [{ name: 'tidy', every: '6h' }]` and the world `export galley:plugin/jobs@1.1.0`. A run that throws is logged.
 * @param {Record<string, (due: Date) => void>} jobs by name
 */
export function runs(jobs) {
  return {
    /** @param {HostJob} job */
    run(job) {
      try {
        jobs[job.name()]?.(new Date(Number(job.due())));
      } catch (error) {
        if (error instanceof Refused) throw { code: 'failed', message: error.message };
        if (error instanceof Problem) throw { code: error.code, message: error.message };
        throw error;
      }
    },
  };
}

/** @param {number} status @param {unknown} value */
function json(status, value) {
  return new Response(status, new TextEncoder().encode(JSON.stringify(value)));
}
