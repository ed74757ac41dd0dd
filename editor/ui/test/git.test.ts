import { expect, test } from 'vitest';
import { suggestedMessage } from '../src/model/git.ts';

const step = (title: string, ...files: string[]) => ({ title, files });

test('a commit is called after the steps of the files it holds', () => {
  const steps = [step('Set alt', 'a'), step('Text “One”', 'a'), step('Move', 'a', 'b'), step('Set alt', 'b')];
  expect(suggestedMessage(steps, ['a', 'b'])).toBe('Set alt and 2 more\n\n- Text “One”\n- Move\n- Set alt');
  expect(suggestedMessage(steps, ['a'])).toBe('Move and 2 more\n\n- Set alt\n- Text “One”\n- Move');
  expect(suggestedMessage(steps.slice(0, 2), ['b'])).toBe('');
  expect(suggestedMessage(steps.slice(1, 3), ['b'])).toBe('Move');
});
