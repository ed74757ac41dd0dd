/** The documented way into Next's configuration: adds the loader that stamps, for Turbopack and for webpack. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const LOADER = fileURLToPath(new URL('./next-loader.cjs', import.meta.url));
const EXTENSIONS = ['tsx', 'jsx', 'js'];

export const name = 'galley';

export function modifyConfig(config, { phase }) {
  if (phase !== 'phase-development-server') return config;
  return { ...config, turbopack: turbopack(config.turbopack ?? {}), webpack: webpack(config.webpack) };
}

export default { name, modifyConfig };

function turbopack(own) {
  const rules = { ...own.rules };
  const rule = knowsConditions() ? beside : within;
  for (const extension of EXTENSIONS) rules[`*.${extension}`] = rule(rules[`*.${extension}`]);
  return { ...own, rules };
}

/** A rule beside the prototype's own. */
function beside(own) {
  const before = own === undefined ? [] : [own].flat();
  return [...before, { condition: { not: 'foreign' }, loaders: [LOADER] }];
}

/** Before version 16 there is one rule for a kind of files: the loader joins it, as the last, which runs first. */
function within(own) {
  if (Array.isArray(own)) return { loaders: [...own, LOADER] };
  return { ...own, loaders: [...(own?.loaders ?? []), LOADER] };
}

function knowsConditions() {
  try {
    const require = createRequire(path.join(process.cwd(), 'package.json'));
    return Number.parseInt(require('next/package.json').version, 10) >= 16;
  } catch {
    return true;
  }
}

function webpack(own) {
  return (config, context) => {
    const made = own ? own(config, context) : config;
    made.module.rules.push({ test: /\.(?:tsx|jsx|js)$/, exclude: /node_modules/, enforce: 'pre', use: [LOADER] });
    return made;
  };
}
