/** Puts a plugin into a slot: choose its file, read what it may do, approve. Nothing of it runs before. */
import { Window } from '@kit/Window.tsx';
import { words as kitWords } from '@kit/words.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import * as v from 'valibot';
import { asApiError } from '../../api/error.ts';
import { installPlugin, ReviewSchema, stagePlugin, updatePlugin, type Fill as Wanted, type Outcome, type Review } from '../../api/plugins.ts';
import { size } from '../../deployments/facts.ts';
import { Refusal } from '../../forms/Refusal.tsx';
import { useChange } from '../../forms/useChange.ts';
import { pluginWords as words } from '../../words/plugins.ts';
import { Check } from './asks.tsx';
import { PLUGIN_KEYS } from './keys.ts';

/** `slot` is updated; `null` adds a plugin to the slot that it names itself. */
export function Fill({ slot, onClose }: { slot: string | null; onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [review, setReview] = useState<Review | null>(null);
  const [adoptData, setAdopt] = useState(false);
  const put = (wanted: Wanted): Promise<Outcome> => (slot === null ? installPlugin(wanted) : updatePlugin(slot, wanted));
  const done = useChange(put, PLUGIN_KEYS, ({ message }) => (onClose(), message ?? undefined));
  /** The refusal of an artifact that nobody approved yet carries the review. */
  const stage = useMutation({
    mutationFn: async (file: File) => {
      const sha256 = await stagePlugin(file);
      try {
        // What asks for nothing new needs no approval, and is in place now.
        await done.mutateAsync({ sha256, source: file.name });
      } catch (error) {
        const told = v.safeParse(v.object({ review: ReviewSchema }), asApiError(error).body);
        if (!told.success) throw error;
        done.reset();
        setReview(told.output.review);
      }
    },
  });
  const approve = (): void => {
    if (!review) return;
    done.mutate({ sha256: review.sha256, approved: true, ...(review.source ? { source: review.source } : {}), ...(adoptData ? { adoptData } : {}), ...(slot === null && review.replaces ? { replaces: review.slot } : {}) });
  };
  return (
    <Window
      title={slot === null ? words.addTitle : words.updateTitle(slot)}
      about={review ? undefined : words.file}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" onClick={onClose}>
            {kitWords.cancel}
          </button>
          {review ? (
            <button type="button" className="button primary" disabled={done.isPending} onClick={approve}>
              {slot === null ? words.approve : words.approveUpdate}
            </button>
          ) : (
            <button type="button" className="button primary" disabled={stage.isPending} onClick={() => input.current?.click()}>
              {stage.isPending ? words.staging : words.chooseFile}
            </button>
          )}
        </>
      }
    >
      <input
        ref={input}
        type="file"
        accept=".wasm,application/wasm"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) stage.mutate(file);
        }}
      />
      {review && <ReviewOf review={review} />}
      {review?.replaces && (
        <Check isOn={adoptData} onChange={setAdopt}>
          {words.adopt}
        </Check>
      )}
      <Refusal of={review ? done.error : stage.error} />
    </Window>
  );
}

function ReviewOf({ review }: { review: Review }) {
  return (
    <>
      <h3>
        {words.reviewTitle(review.id, review.version)} <span className="soft">{words.reviewFor(review.slot)}</span>
      </h3>
      <dl className="definition">
        {review.replaces && (
          <>
            <dt>{words.replaces}</dt>
            <dd>{review.replaces}</dd>
          </>
        )}
        <dt>{words.publisher}</dt>
        <dd>{review.publisher ?? words.unsigned}</dd>
        <dt>{words.size}</dt>
        <dd>{size(review.size)}</dd>
        <dt>{words.sha256}</dt>
        <dd>
          <code className="mono">{review.sha256}</code>
        </dd>
      </dl>
      {review.lines.length === 0 ? (
        <p>{words.mayNothing}</p>
      ) : (
        <>
          <h3>{words.may}</h3>
          <ul className="powers">
            {review.lines.map(({ change, power, text }) => (
              <li key={`${change} ${text}`} className={change}>
                <span className={power ? 'name' : ''}>{text}</span>
                {change !== 'same' && <span className={`badge${change === 'added' && power ? ' warn' : ''}`}>{words.changes[change]}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
