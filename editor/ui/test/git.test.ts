import { expect, test } from 'vitest';
import { messages } from '../src/messages.ts';
import { suggestedMessage } from '../src/model/git.ts';

const step = (title: string, ...files: string[]) => ({ title, files });

test('a commit is called after the steps of the files it holds', () => {
  const steps = [step('Set alt', 'a'), step('Text “One”', 'a'), step('Move', 'a', 'b'), step('Set alt', 'b')];
  expect(suggestedMessage(steps, ['a', 'b'])).toBe('Set alt and 2 more\n\n- Text “One”\n- Move\n- Set alt');
  expect(suggestedMessage(steps, ['a'])).toBe('Move and 2 more\n\n- Set alt\n- Text “One”\n- Move');
  expect(suggestedMessage(steps.slice(0, 2), ['b'])).toBe('');
  expect(suggestedMessage(steps.slice(1, 3), ['b'])).toBe('Move');
});

test('files that discarding deletes are named', () => {
  expect(messages.discardHelp(2, [])).toMatch(/^The files go back to the last commit. A backup/);
  expect(messages.discardHelp(2, ['notes.txt'])).toContain('last commit. 1 new file that no commit has will be deleted: notes.txt. A backup');
  expect(messages.discardHelp(6, ['a', 'b', 'c', 'd', 'e', 'f'])).toMatch(/^6 new files that no commit has will be deleted: a, b, c, d, e and 1 more\. A backup/);
});
