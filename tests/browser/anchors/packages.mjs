/** The pages of the corpus: templates from npm, which nobody here wrote. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Each with the folder its pages are in, and the hash of the archive as npm gives it. */
export const PACKAGES = [
  { name: 'admin-lte', version: '3.2.0', folders: ['.', 'pages'], integrity: 'sha512-IDUfoU8jo9DVlB59lDEASAJXTesAEXDZ68DOHI3qg93r5ehVTkMl2x0ixgIyff8NiHeNYXpcOZh3tr6oGbvu9g==' },
  { name: 'admin-lte', version: '4.0.0', folders: ['dist'], integrity: 'sha512-vuUo9yFI0bxbWXKclLRRuAbxLn3x3PdEAcuXOnzoYQ9EoOAbedj87Fb4FPF4BV2rPLfScFEQLbWngS4WtmPZJA==' },
  { name: 'gentelella', version: '1.4.0', folders: ['production'], integrity: 'sha512-lp54+y6bwSLHF6KMstW2jD6oqV68vLMnFqMqATRp5a/8Tp52NYly7Q+5FZIMaNKATrb3EKx+BN/bKpaZ4BYLEw==' },
  { name: 'gentelella', version: '4.2.0', folders: ['dist/production'], integrity: 'sha512-etbwRsQv+fl5tAnmE+SCZGGWWU6H6EudoWFZEPDJ93jGtVlDOnUmG09XW/BY+V3K1n28jZJ3fJx4V3WH7MVzOQ==' },
  { name: 'startbootstrap-sb-admin-2', version: '4.1.4', folders: ['.'], integrity: 'sha512-Zr0JNu4tRD4EJVDwVLETKWfMniFx4Dy3qAnJ96ucqUqIZ8Ns4/H5a6Y0E44/K5lxO05EBQwi24hPxaLEz+2IhA==' },
];

/** Fetches and unpacks what is not in `cache` yet; gives each package with its root and its pages. */
export function packages(cache) {
  return PACKAGES.map((each) => {
    const root = join(cache, `${each.name}-${each.version}`);
    if (!existsSync(join(root, 'package/package.json'))) {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(root, { recursive: true });
      execFileSync('npm', ['pack', '--silent', '--ignore-scripts', `${each.name}@${each.version}`], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
      const archive = join(root, `${each.name}-${each.version}.tgz`);
      const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
      if (hash !== each.integrity) throw new Error(`${each.name} ${each.version} has the hash ${hash} and not ${each.integrity}`);
      execFileSync('tar', ['xzf', archive], { cwd: root });
    }
    const folder = join(root, 'package');
    return { ...each, root: folder, pages: each.folders.flatMap((under) => pagesBelow(folder, under, under !== '.')) };
  });
}

function pagesBelow(root, under, deep) {
  return readdirSync(join(root, under), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(under, entry.name);
      if (entry.isDirectory()) return deep ? pagesBelow(root, path, true) : [];
      return entry.name.endsWith('.html') ? [path] : [];
    });
}
