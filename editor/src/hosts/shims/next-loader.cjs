/** Stamps a file for Turbopack (and webpack). */
module.exports = function stampForNext(code, map) {
  const done = this.async();
  const id = this.resourcePath + (this.resourceQuery || '');
  import('./client.mjs')
    .then(({ stamp }) => stamp(id, code))
    .then((stamped) => (stamped ? done(null, stamped.code, stamped.map ?? undefined) : done(null, code, map)))
    .catch(() => done(null, code, map));
};
