// The component of componentize-js begins here.

import './galley-sdk/sdk/js/starlingmonkey.js';

export { handler } from './plugin.js';
