/** The bridge: the script inside every served prototype. */
import { repairAnchors } from './anchors.ts';
import { VERSION } from './messages.ts';
import { findParent } from './parent.ts';
import { makePicker } from './picker.ts';

repairAnchors(window);

const parent = findParent(window, document.currentScript);
if (parent) {
  const pick = makePicker(window, parent.send);
  parent.onPick(({ on }) => pick(on));
  parent.send({ type: 'galley:ready', version: VERSION, page: location.href });
}
