/** Long work in small pieces, so that the prototype stays as quick as it is. */

/** How long one piece may take, in milliseconds. */
export const MAX_SLICE = 4;

/** Does all steps, piece by piece, and then calls `done` with the result. The function it gives calls the work off. */
export function inSlices<T>(view: Window, steps: Generator<undefined, T>, done: (result: T) => void): () => void {
  let timer = 0;
  const slice = (): void => {
    const end = performance.now() + MAX_SLICE;
    do {
      const { done: ended, value } = steps.next();
      if (ended) return done(value as T);
    } while (performance.now() < end);
    timer = view.setTimeout(slice);
  };
  timer = view.setTimeout(slice);
  return () => view.clearTimeout(timer);
}
