/** A layer that adds nothing but the plugin which stamps, and what the Editor tells each Vite that it starts. */
import started from '../started.cjs';
import galley from '../vite.cjs';

export default {
  vite: { plugins: [galley(), started()] },
};
