// Prints the prices of models of the providers that the Editor knows, from the package @pydantic/genai-prices in the folder of the first
// argument: what each model's name looks like, and dollars for a million tokens. `[from, price]` where long requests cost more.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2];
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const { findProvider } = await import(pathToFileURL(join(folder, 'dist/index.js')));
const PROVIDERS = { anthropic: 'anthropic', openai: 'openai', gemini: 'google' };
const RATES = { input: 'input_mtok', cacheWrite: 'cache_write_mtok', cacheRead: 'cache_read_mtok', output: 'output_mtok' };
const now = new Date().toISOString().slice(0, 10);

/** The prices in force today: of several with a date, the latest that has begun. */
function current(prices) {
  if (!Array.isArray(prices)) return prices;
  const begun = prices.filter(({ constraint }) => !constraint || (constraint.start_date ?? '9') <= now);
  return (begun.sort((a, b) => (a.constraint?.start_date ?? '').localeCompare(b.constraint?.start_date ?? '')).at(-1) ?? prices[0]).prices;
}

function rate(price) {
  if (price === undefined || typeof price === 'number') return price;
  return [[0, price.base], ...price.tiers.map(({ start, price: each }) => [start, each])];
}

/** Without what our patterns cannot say: that a name does not end in something, which only models of voices do. */
function plain(match) {
  if (match.and) return { and: match.and.filter(({ regex }) => !regex?.includes('(?!')).map(plain) };
  return match.or ? { or: match.or.map(plain) } : match;
}

const providers = {};
for (const [id, name] of Object.entries(PROVIDERS)) {
  const { models } = findProvider({ providerId: name });
  providers[id] = models.flatMap(({ id: model, match, prices }) => {
    // Google's list has what it resells, by other names than its compatible endpoint.
    if (id === 'gemini' && !/gem(?:ini|ma)/.test(model)) return [];
    const found = current(prices);
    if (found.output_mtok === undefined || found.input_mtok === undefined) return [];
    const rates = Object.fromEntries(Object.entries(RATES).map(([key, from]) => [key, rate(found[from])]).filter(([, value]) => value !== undefined));
    const search = typeof found.web_searches_kcount === 'number' ? { webSearch: found.web_searches_kcount / 1000 } : {};
    return [{ id: model, match: plain(match), ...rates, ...search }];
  });
}
const lines = Object.entries(providers).map(([id, models]) => `    ${JSON.stringify(id)}: [\n${models.map((each) => `      ${JSON.stringify(each)}`).join(',\n')}\n    ]`);
process.stdout.write(`{\n  "source": "@pydantic/genai-prices ${version}",\n  "providers": {\n${lines.join(',\n')}\n  }\n}\n`);
