import { gunzipSync } from 'fflate';
import { unpackTar } from 'modern-tar';
import { expect, test } from 'vitest';
import { list, pack, repack } from '../../src/deployments/pack/archive.ts';
import { fromFiles } from '../../src/deployments/pack/entries.ts';
import { below, isSkipped, planOf, withoutTop, type PackEntry } from '../../src/deployments/pack/plan.ts';

const entry = (path: string, text = path): PackEntry => ({ path, file: new Blob([text]) });
const paths = (entries: PackEntry[]): string[] => entries.map(({ path }) => path);
const bytes = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

test('index.html at the top is the site', () => {
  expect(planOf(['index.html', 'assets/a.js', 'about/index.html'])).toEqual({ is: 'ready', root: '' });
});

test('index.html one level down is offered, the build folder first', () => {
  expect(planOf(['package.json', 'public/index.html', 'dist/index.html', 'dist/about/index.html'])).toEqual({ is: 'nested', roots: ['dist', 'public'] });
  expect(planOf(['site/index.html', 'site/a.css'])).toEqual({ is: 'nested', roots: ['site'] });
  expect(planOf(['apps/web/dist/index.html', 'x'])).toEqual({ is: 'nested', roots: ['apps/web/dist'] });
});

test('without index.html there is nothing to publish', () => {
  expect(planOf(['main.js', 'readme.md', 'myindex.html'])).toEqual({ is: 'none' });
  expect(planOf([])).toEqual({ is: 'none' });
});

test('a dropped folder is looked into, and one of its folders can be taken', () => {
  const dropped = [entry('shop/package.json'), entry('shop/dist/index.html'), entry('shop/dist/a.js')];
  expect(paths(withoutTop(dropped))).toEqual(['package.json', 'dist/index.html', 'dist/a.js']);
  expect(paths(below(withoutTop(dropped), 'dist'))).toEqual(['index.html', 'a.js']);
});

test('what desktops and tools leave behind is not packed', () => {
  expect(['.DS_Store', 'a/Thumbs.db', 'node_modules/x/index.js', '.git/HEAD', 'a/._b.png'].every(isSkipped)).toBe(true);
  expect(['index.html', '.well-known/a.json', 'git/x'].some(isSkipped)).toBe(false);
});

test('a chosen archive is told from a folder and from any other file', () => {
  const file = (name: string, path = ''): File => Object.assign(new File(['x'], name), { webkitRelativePath: path });
  expect(fromFiles([file('site.tar.gz')]).is).toBe('archive');
  expect(fromFiles([file('SITE.TGZ')]).is).toBe('archive');
  expect(fromFiles([file('index.html', 'dist/index.html'), file('a.js', 'dist/a.js')])).toMatchObject({ is: 'folder', name: 'dist' });
  expect(fromFiles([file('photo.png')])).toMatchObject({ is: 'refused', reason: expect.stringContaining('photo.png') });
  expect(fromFiles([])).toMatchObject({ is: 'refused' });
});

test('packed files come out as they went in, long and foreign names too', async () => {
  const long = `${'a'.repeat(90)}/${'b'.repeat(90)}/${'c'.repeat(120)}.js`;
  const entries = [entry('index.html', '<h1>Hi</h1>'), entry(long, 'long'), entry('ä/日本.txt', 'text'), entry('empty.txt', ''), { path: 'big.bin', file: new Blob([new Uint8Array(700_000).fill(7)]) }];
  const told: number[] = [];
  const packed = await pack(entries, ({ done }) => told.push(done));
  expect(packed).toMatchObject({ files: 5, bytes: 700_000 + 11 + 4 + 4 });
  expect(told.at(-1)).toBe(packed.bytes);
  const files = await unpackTar(gunzipSync(await bytes(packed.body)));
  expect(files.map(({ header }) => header.name).sort()).toEqual(['index.html', long, 'ä/日本.txt', 'empty.txt', 'big.bin'].sort());
  const text = files.find(({ header }) => header.name === 'index.html')?.data;
  expect(new TextDecoder().decode(text)).toBe('<h1>Hi</h1>');
});

test('the same folder makes the same bytes, in any order', async () => {
  const entries = [entry('index.html'), entry('b.js'), entry('a.js')];
  const [one, two] = await Promise.all([pack(entries, () => undefined), pack([...entries].reverse(), () => undefined)]);
  expect(await bytes(one.body)).toEqual(await bytes(two.body));
});

test('packing stops when it is cancelled', async () => {
  const stop = new AbortController();
  const entries = [entry('a'), entry('b'), entry('c')];
  await expect(pack(entries, () => stop.abort(new Error('cancelled')), stop.signal)).rejects.toThrow('cancelled');
});

test('an archive is listed, and one of its folders packed again', async () => {
  const archive = (await pack([entry('site/index.html', 'hello'), entry('site/a/b.js'), entry('readme.md')], () => undefined)).body;
  expect((await list(archive)).sort()).toEqual(['readme.md', 'site/a/b.js', 'site/index.html']);
  const again = await repack(archive, 'site', () => undefined);
  expect((await list(again.body)).sort()).toEqual(['a/b.js', 'index.html']);
});

test('what is no archive is refused in words', async () => {
  await expect(list(new Blob(['this is not gzip at all, but a text']))).rejects.toThrow();
});
