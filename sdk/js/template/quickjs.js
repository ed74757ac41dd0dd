// The component of componentize-qjs begins here.

import { byValue } from './galley-sdk/sdk/js/quickjs.js';
import { handler as plugin } from './plugin.js';

export const handler = byValue(plugin);
