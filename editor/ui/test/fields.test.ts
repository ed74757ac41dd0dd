import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createEditor } from '../src/model/editor.ts';
import { EditorContext } from '../src/react/use.ts';
import { KeywordField } from '../src/regions/inspector/StyleFields.tsx';
import type { Inspection } from '../src/api/inspection.ts';

const page = { lead: 'main', send: () => undefined, attach: () => undefined, receive: () => undefined } as const;
const world = { send: fetch, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() };
const can = { style: true };

function field(styles: object[]): string {
  const facts = { src: 'src/App.tsx:3:4', styles, utilities: null, can } as unknown as Inspection;
  const shown = createElement(KeywordField, { facts, property: 'position', label: 'Position', options: ['static', 'absolute'] });
  return renderToStaticMarkup(createElement(EditorContext.Provider, { value: createEditor(world, page) }, shown));
}

test('a style that the page does not measure is not shown as the first of its values', () => {
  expect(field([])).toMatch(/<option value="" disabled="" selected="">not known<\/option><option value="static">/);
  const declared = [{ property: 'position', value: 'absolute', from: 'inline', editable: true, why: null, at: null, shared: 1, conditions: [], wins: true, tokens: [] }];
  expect(field(declared)).toContain('<option value="absolute" selected="">');
  expect(field(declared)).not.toContain('not known');
});
