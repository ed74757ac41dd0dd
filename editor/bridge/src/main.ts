/** The bridge: the script inside every prototype, on the review server and in the Editor. */
import { repairAnchors } from './anchors.ts';
import { EditorBridge } from './editor.ts';
import { findParent } from './parent.ts';
import { ReviewBridge } from './review.ts';
import { parseToPage } from './to_page.ts';
import { parseToReviewed } from './to_reviewed.ts';

repairAnchors(window);

const tag = document.currentScript;
/** The Editor's proxy writes the run's nonce into the tag. */
const nonce = tag?.getAttribute('data-nonce');
const parent = findParent(window, tag);
// The prototype sees the page that its author wrote.
if (!nonce) tag?.remove();
if (parent && nonce) {
  const bridge = new EditorBridge(window, (message) => parent.send({ ...message, nonce }));
  parent.onMessage((data) => {
    const message = parseToPage(data, nonce);
    if (message) bridge.receive(message);
  });
  bridge.start();
} else if (parent) {
  const review = new ReviewBridge(window, tag?.getAttribute('data-version') ?? null, parent.send);
  parent.onMessage((data) => {
    const message = parseToReviewed(data);
    if (message) review.receive(message);
  });
  review.hello();
}
