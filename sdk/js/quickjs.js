// What galley.js needs in a component of componentize-qjs. It gives a borrowed request back too late for version 1.0 of the contract, so
// it speaks 0.1, in which a request is a record. Its integers are numbers, and it has no TextEncoder.

import sql from 'galley:sql/sql@0.1.0';

import { connect } from './sql.js';

/** @import { Request } from 'galley:http/types@1.0.0' */

connect(sql, (whole) => /** @type {any} */ (Number(whole)));

globalThis.TextEncoder ??= /** @type {any} */ (
  class {
    /** @param {string} text */
    encode(text) {
      return Uint8Array.from(unescape(encodeURIComponent(text)), (char) => char.charCodeAt(0));
    }
  }
);

globalThis.TextDecoder ??= /** @type {any} */ (
  class {
    /** @param {Uint8Array} bytes */
    decode(bytes) {
      return decodeURIComponent(escape(bytes.reduce((text, byte) => text + String.fromCharCode(byte), '')));
    }
  }
);

/**
 * The handler, for a request that is a record.
 * @param {{ describe: () => Uint8Array, handle: (request: Request) => object }} handler
 */
export function byValue({ describe, handle }) {
  /** @param {Record<string, any>} record */
  const asked = (record) => {
    const part = (/** @type {string} */ name) => () => record[name] ?? undefined;
    const names = ['id', 'route', 'method', 'path', 'params', 'query', 'caller', 'project'];
    const parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    return /** @type {any} */ ({ ...parts, takeBody: () => Uint8Array.from(record.body) });
  };
  return { describe, handle: (/** @type {Record<string, any>} */ record) => handle(asked(record)) };
}
