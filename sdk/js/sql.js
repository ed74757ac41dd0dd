// Statements on the plugin's own database, with their rows.

import { Response, asked } from './answers.js';

/** @import { Value } from 'galley:sql/sql@1.0.0' */
/** @typedef {typeof import('galley:sql/sql@1.0.0')} Sql */
/** @typedef {string | number | bigint | boolean | Uint8Array | null} Cell */

let sql = /** @type {Sql} */ (/** @type {unknown} */ (undefined));
let integer = /** @type {(whole: any) => bigint} */ (BigInt);

/** Says what the host's SQL is, and what its integers are. @param {Sql} hostSql @param {(whole: any) => bigint} hostInteger */
export function connect(hostSql, hostInteger) {
  sql = hostSql;
  integer = hostInteger;
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
