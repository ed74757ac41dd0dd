// Requests to the hosts of the manifest, `hosts: ['open.example.com']`, by HTTPS. The world imports
// `galley:outbound/outbound@1.1.0`, and the operator approves each host.

import * as imported from 'galley:outbound/outbound@1.1.0';

import { Problem, asked } from './answers.js';

/** @import { Response as HostResponse } from 'galley:outbound/outbound@1.1.0' */
/** @typedef {{ host: string, path: string, method?: string, headers?: [string, string][], body?: Uint8Array }} Outgoing */

// Of componentize-qjs an interface is a default export.
const host = imported.default ?? imported;

/** An answer, whatever its status; the names of headers are in lower case. */
export class Answer {
  /** @param {HostResponse} response */
  constructor({ status, headers, body }) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** The body as JSON. @returns {any} */
  json() {
    return JSON.parse(new TextDecoder().decode(this.body));
  }
}

/** Waits for the answer, ten seconds at most. A `Problem` is thrown where there is none. @param {Outgoing} outgoing */
export function fetch(outgoing) {
  return new Answer(asked(() => host.fetch(request(outgoing))));
}

/** Sends up to 16 requests, which overlap. What came of each is in its place. @param {...Outgoing} outgoing */
export function fetchAll(...outgoing) {
  const found = host.fetchAll(outgoing.map(request));
  return found.map((one) => (one.tag === 'ok' ? new Answer(one.val) : new Problem(one.val)));
}

/** @param {Outgoing} outgoing */
function request({ host: credential, path, method = 'GET', headers = [], body = new Uint8Array() }) {
  return { credential, method, path, headers, body };
}
