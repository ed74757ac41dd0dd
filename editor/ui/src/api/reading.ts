/** `/api/editor/reading`: the page in the preview reads for the program. */
import * as v from 'valibot';

/** What the program asks. The page answers; what is asked beside `do` and `reader` is for it alone. */
export const ReadEventSchema = v.object({
  id: v.string(),
  /** The attempt it is for; null for any page that shows `page`. */
  ticket: v.optional(v.nullable(v.string()), null),
  page: v.string(),
  ask: v.looseObject({ do: v.picklist(['begin', 'forget', 'look', 'end']), reader: v.string() }),
});
export type ReadEvent = v.InferOutput<typeof ReadEventSchema>;

export const TakenSchema = v.object({ taken: v.boolean() });

/** The text of a longer answer is not sent on. */
export const MAX_ANSWER = 500_000;
