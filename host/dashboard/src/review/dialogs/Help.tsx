import { Window } from '@kit/Window.tsx';
import { reviewWords } from '../../words.ts';
import { setSingleKeys } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { readableMod, SINGLE_KEYS } from '../model/keys.ts';
import { useReview } from '../store.ts';

/** The keys, and the switch for those of one letter. */
export default function Help() {
  const { mayComment } = useReviewing();
  const singleKeys = useReview((state) => state.singleKeys);
  const keys = Object.entries(SINGLE_KEYS).filter(([, command]) => mayComment || !['comment', 'reply', 'resolve'].includes(command));
  return (
    <Window title={reviewWords.shortcuts} onClose={() => useReview.setState({ dialog: null })}>
      <ul className="keys-rows">
        {keys.map(([key, command]) => (
          <li key={key} data-off={!singleKeys || undefined}>
            <span>{reviewWords.keys[command]}</span>
            <kbd className="kbd">{key}</kbd>
          </li>
        ))}
        <li>
          <span>{reviewWords.keys.palette}</span>
          <kbd className="kbd">{readableMod('K')}</kbd>
        </li>
        {mayComment && (
          <li>
            <span>{reviewWords.keys.send}</span>
            <kbd className="kbd">{readableMod('Enter')}</kbd>
          </li>
        )}
        <li>
          <span>{reviewWords.keys.leave}</span>
          <kbd className="kbd">Esc</kbd>
        </li>
      </ul>
      <label className="check">
        <input type="checkbox" checked={singleKeys} onChange={(event) => setSingleKeys(event.target.checked)} />
        <span>
          {reviewWords.singleKeys}
          <span className="help"> {reviewWords.singleKeysHelp}</span>
        </span>
      </label>
    </Window>
  );
}
