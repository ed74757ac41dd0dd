/** Stamps a file for Turbopack (and webpack). */
const { stamp } = require('./client.cjs');

module.exports = function stampForNext(code, map) {
  const done = this.async();
  const id = this.resourcePath + (this.resourceQuery || '');
  stamp(id, code)
    .then((stamped) => (stamped ? done(null, stamped.code, stamped.map ?? undefined) : done(null, code, map)))
    .catch(() => done(null, code, map));
};
