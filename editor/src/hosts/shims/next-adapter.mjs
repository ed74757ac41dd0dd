/** The documented way into Next's configuration: adds the loader that stamps, for Turbopack and for webpack. */
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
  for (const extension of EXTENSIONS) {
    const glob = `*.${extension}`;
    const before = rules[glob] === undefined ? [] : [rules[glob]].flat();
    rules[glob] = [...before, { condition: { not: 'foreign' }, loaders: [LOADER] }];
  }
  return { ...own, rules };
}

function webpack(own) {
  return (config, context) => {
    const made = own ? own(config, context) : config;
    made.module.rules.push({ test: /\.(?:tsx|jsx|js)$/, exclude: /node_modules/, enforce: 'pre', use: [LOADER] });
    return made;
  };
}
