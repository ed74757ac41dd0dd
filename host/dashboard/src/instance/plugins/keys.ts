/** Everything that shows plugins, or depends on which ones serve. */
export const PLUGIN_KEYS = ['plugins', 'ui', 'plugin-details'];
