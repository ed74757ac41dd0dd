/** The texts of an element. */
import type { Inspection, Run } from '../api/inspection.ts';

/** The texts that stand in it; where there is none and one can be written, an empty one to write it in. */
export function textsOf({ src, text, can }: Inspection): Run[] {
  return text.length > 0 || can.text !== true ? text : [{ run: 0, text: '', form: 'plain', editable: true, why: null, at: src, shared: 1, choices: [] }];
}
