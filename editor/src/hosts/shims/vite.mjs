/** The plugin as the configuration of an attached dev server imports it. */
export { default } from './vite.cjs';
