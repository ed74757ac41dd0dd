// Galley's plugins in JavaScript: routes, JSON and SQL. `template/plugin.js` beside it shows each of them in use.
//
// A handler gets a `Request` and returns what becomes JSON, `undefined` (204) or a `Response`. An exception that it does not catch
// is a 500 whose stack goes to the server's log. The rest of the contract is imported as starlingmonkey.js imports the SQL.

/** @import { Request as HostRequest } from 'galley:http/types@1.0.0' */
/** @import { Value } from 'galley:sql/sql@1.0.0' */
/** @typedef {typeof import('galley:sql/sql@1.0.0')} Sql */
/** @typedef {string | number | bigint | boolean | Uint8Array | null} Cell */
/** @typedef {(request: Request) => unknown} Handle */

let sql = /** @type {Sql} */ (/** @type {unknown} */ (undefined));
let integer = /** @type {(whole: any) => bigint} */ (BigInt);

/** Says what the host's SQL is, and what its integers are. @param {Sql} hostSql @param {(whole: any) => bigint} hostInteger */
export function connect(hostSql, hostInteger) {
  sql = hostSql;
  integer = hostInteger;
}

/** An answer with `status` and `{"error": message}`. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** What the host refused or could not do; `code` is one of those in the interface's documentation. */
export class Problem extends Error {
  /** @param {any} thrown by the host's function */
  constructor(thrown) {
    const problem = thrown?.payload ?? thrown;
    super(`${problem?.code}: ${problem?.message}`);
    this.code = problem?.code;
  }
}

/** An answer that is not JSON, or has headers of its own. */
export class Response {
  /** @param {number} status @param {Uint8Array} body @param {[string, string][]} headers */
  constructor(status, body, headers = [['content-type', 'application/json']]) {
    Object.assign(this, { status, body, headers, tail: undefined });
  }
}

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
 * @param {{ slot: string, version: string, migrations?: string[], [key: string]: unknown }} manifest see wit/README.md; a
 *   migration is its SQL
 * @param {Record<string, { handle: Handle, guard: object, [key: string]: unknown }>} routes by method and path
 */
export function plugin({ migrations = [], ...manifest }, routes) {
  const handlers = Object.entries(routes).map(([route, { handle, ...rest }]) => {
    const [method = '', path = ''] = route.split(' ');
    const names = path.split('/').flatMap((part) => (part.startsWith('{') ? [part.slice(1, -1)] : []));
    return { handle, names, route: { method, path, ...rest } };
  });
  const steps = migrations.map((sql, index) => ({ version: index + 1, sql }));
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

/** The rows of one statement that reads. @param {string} statement @param {...Cell} params */
export function query(statement, ...params) {
  return unpack(asked(() => sql.query(statement, params.map(value))));
}

/**
 * The answer `{name: [{…}, …]}` with the rows of `SELECT columns rest`, which the database makes: the quickest way to answer many
 * rows. A column is a name, or an expression with `AS name`. At most 1 MiB.
 * @param {string} name @param {string} columns @param {string} rest @param {...Cell} params
 */
export function listing(name, columns, rest, ...params) {
  const names = columns.split(',').map((column) => column.trim().split(/\s+/).pop());
  const row = names.map((column) => `'${column}', ${column}`).join(', ');
  const rows = `SELECT json_object('${name}', json_group_array(json_object(${row}))) FROM (SELECT ${columns} ${rest})`;
  // One cell: the number of columns, its kind and its length stand before it.
  return new Response(200, asked(() => sql.query(rows, params.map(value))).subarray(9));
}

/** Runs statements, each with its parameters behind it, in one transaction. @param {...[string, ...Cell[]]} steps */
export function batch(...steps) {
  const made = steps.map(([sql, ...params]) => ({ sql, params: params.map(value), expectChanges: undefined }));
  return asked(() => sql.batch(made, [])).map(unpack);
}

/** @template T @param {() => T} work @returns {T} */
function asked(work) {
  try {
    return work();
  } catch (error) {
    throw new Problem(error);
  }
}

/** @param {number} status @param {unknown} value */
function json(status, value) {
  return new Response(status, new TextEncoder().encode(JSON.stringify(value)));
}

/** @param {Cell} cell @returns {Value} */
function value(cell) {
  if (cell === null) return { tag: 'null' };
  if (typeof cell === 'string') return { tag: 'text', val: cell };
  if (typeof cell === 'object') return { tag: 'blob', val: cell };
  const isReal = typeof cell === 'number' && !Number.isSafeInteger(cell);
  return isReal ? { tag: 'real', val: cell } : { tag: 'integer', val: integer(cell) };
}

/** Unpacks rows, as `galley:sql` describes them. @param {Uint8Array} packed */
function unpack(packed) {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const columns = view.getUint32(0, true);
  const rows = /** @type {any[][]} */ ([]);
  for (let at = 4, row = /** @type {any[]} */ ([]); at < packed.length; ) {
    const tag = packed[at++];
    if (tag === 1 || tag === 2) {
      row.push(tag === 1 ? Number(view.getBigInt64(at, true)) : view.getFloat64(at, true));
      at += 8;
    } else if (tag) {
      const bytes = packed.subarray(at + 4, (at += 4 + view.getUint32(at, true)));
      row.push(tag === 3 ? new TextDecoder().decode(bytes) : bytes);
    } else row.push(null);
    if (row.length === columns) rows.push(row), (row = []);
  }
  return rows;
}
