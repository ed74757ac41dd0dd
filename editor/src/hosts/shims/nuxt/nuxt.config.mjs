/** A layer that adds nothing but the plugin which stamps. */
import galley from '../vite.mjs';

export default {
  vite: { plugins: [galley()] },
};
