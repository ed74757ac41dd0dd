// The plugin's settings and secrets. The manifest declares them, `settings: [{ key: 'days', type: 'number', default: 7 }]`, and the
// operator sets them. The world imports `galley:config/config@1.0.0`, which needs no permission.

import * as imported from 'galley:config/config@1.0.0';

// Of componentize-qjs an interface is a default export.
const host = imported.default ?? imported;

/**
 * What the operator set, otherwise the manifest's default; `undefined` where there is neither.
 * @param {string} key @returns {string | number | boolean | undefined}
 */
export function setting(key) {
  const found = host.get(key);
  return found === undefined || found === null ? undefined : JSON.parse(found);
}

/** Whether the operator set a secret. Nothing returns its value: it goes with the requests of outbound.js. @param {string} key */
export function hasSecret(key) {
  return host.hasSecret(key);
}
