import { CircleCheck, CircleHelp, CircleX, Undo2 } from 'lucide-react';
import { memo } from 'react';
import type { Turn } from '../../api/chat.ts';
import { undoTurn } from '../../model/chatting.ts';
import { costOf } from '../../model/costs.ts';
import { selectSource } from '../../model/selecting.ts';
import { useEditor } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { ItemView } from './ItemView.tsx';

/** What somebody wrote, and everything that came of it. Drawn again only when it is another. */
export const TurnView = memo(function TurnView({ session, turn }: { session: string; turn: Turn }) {
  const editor = useEditor();
  const ended = turn.status !== 'running' && turn.status !== 'waiting';
  return (
    <article className="turn-of-chat" aria-label={messages.turnLabel(turn.text)}>
      <div className="asked">
        {turn.selection.length > 0 && (
          <div className="chips">
            {turn.selection.map(({ src, label }) => (
              <span key={src} className="chip">
                <button type="button" className="text" title={src} onClick={() => selectSource(editor, src)}>
                  {label ?? src}
                </button>
              </span>
            ))}
          </div>
        )}
        <p className="words">{turn.text}</p>
      </div>
      {turn.items.map((item) => (
        <ItemView key={item.n} session={session} item={item} />
      ))}
      {turn.status === 'running' && (
        <p className="working" role="status">
          <span className="spinner" aria-hidden />
          {messages.working}
        </p>
      )}
      {turn.failure && <Failed turn={turn} />}
      {turn.status === 'stopped' && <p className="meta">{messages.turnStopped}</p>}
      {turn.goal && <Goal goal={turn.goal} />}
      {ended && (
        <div className="turn-foot">
          {turn.edits.length > 0 && !turn.undone && (
            <button type="button" className="button" onClick={() => void undoTurn(editor, session, turn.id)}>
              <Undo2 size={13} aria-hidden />
              {messages.undoTurn}
            </button>
          )}
          {turn.undone && <span className="badge">{messages.undone}</span>}
          <span className="gap" />
          {turn.cost && turn.cost.usd > 0 && <span className="meta" title={messages.costTokens(turn.cost)}>{costOf(turn.cost)}</span>}
        </div>
      )}
    </article>
  );
});

function Failed({ turn: { failure } }: { turn: Turn }) {
  if (!failure) return null;
  const mild = failure.kind === 'rate-limited' || failure.kind === 'interrupted';
  return <p className={`notice ${mild ? 'warn' : 'bad'}`}>{failure.words}</p>;
}

const VERDICTS = { reached: { tone: 'good', Icon: CircleCheck }, 'not-reached': { tone: 'bad', Icon: CircleX }, unclear: { tone: '', Icon: CircleHelp } } as const;

function Goal({ goal: { verdict, why } }: { goal: NonNullable<Turn['goal']> }) {
  const { tone, Icon } = VERDICTS[verdict];
  return (
    <div className="goal">
      <span className={`badge ${tone}`}>
        <Icon size={12} aria-hidden />
        {messages.verdicts[verdict]}
      </span>
      <span>{why}</span>
    </div>
  );
}
