import { expect, test } from 'vitest';
import { editText } from '../src/actions/edit_text.ts';
import { textsOf } from '../src/model/texts.ts';
import type { Inspection, Run } from '../src/api/inspection.ts';
import type { Model } from '../src/model/model.ts';

const src = 'src/App.tsx:3:4';
const hello: Run = { run: 0, text: 'Hello', form: 'literal', editable: true, why: null, at: src, shared: 1, choices: [] };
const facts = (text: Run[], can: true | string): Inspection => ({ src, text, can: { text: can } }) as unknown as Inspection;

test('an element without a text is given one in an empty field', () => {
  expect(textsOf(facts([], true))).toMatchObject([{ text: '', editable: true, at: src }]);
  expect(textsOf(facts([], 'no text'))).toEqual([]);
  expect(textsOf(facts([hello], true))).toEqual([hello]);
});

test('a text that is not there yet is not edited in the page', () => {
  const model = (text: Run[]): Model => ({ selection: { target: {}, use: null, usages: [] }, inspection: { is: 'ready', value: facts(text, true) } }) as unknown as Model;
  expect(editText.available(model([hello]))).toBe(true);
  expect(editText.available(model([]))).toContain('under Content');
});
