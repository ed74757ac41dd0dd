import { BookOpen, Brain, Check, CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import { memo, Suspense } from 'react';
import { later } from '../../components/later.tsx';
import type { Item, ItemOf } from '../../api/chat.ts';
import { answerApproval } from '../../model/chatting.ts';
import { useEditor } from '../../react/use.ts';
import { count, messages } from '../../messages.ts';
import { EditCard } from './EditCard.tsx';

const Markdown = later(() => import('./Markdown.tsx'));

/** One thing that happened in a turn. */
export const ItemView = memo(function ItemView({ session, item }: { session: string; item: Item }) {
  switch (item.type) {
    case 'text':
      return (
        <Suspense fallback={<p className="words">{item.text}</p>}>
          <Markdown text={item.text} />
        </Suspense>
      );
    case 'thinking':
      return (
        <details className="aside">
          <summary>
            <Brain size={13} aria-hidden />
            {messages.thinking}
          </summary>
          <p className="words">{item.text}</p>
        </details>
      );
    case 'tool': return <Tool item={item} />;
    case 'edit': return <EditCard edit={item} />;
    case 'approval': return <Approval session={session} item={item} />;
    case 'notice': return <Notice item={item} />;
    case 'conventions': return <Conventions item={item} />;
    case 'other': return null;
  }
});

function Tool({ item: { title, status, server, detail } }: { item: ItemOf<'tool'> }) {
  const sign =
    status === 'running' ? <span className="spinner" aria-hidden /> : status === 'done' ? <Check size={13} aria-hidden /> : <X size={13} aria-hidden />;
  const said = (
    <>
      {sign}
      <span className="text">{title}</span>
      {server !== null && <span className="badge">{server}</span>}
      {status !== 'done' && <span className={status === 'running' ? 'hidden' : 'badge bad'}>{messages.toolStatus[status]}</span>}
    </>
  );
  if (detail === null || detail === '') return <p className="aside tool">{said}</p>;
  return (
    <details className="aside tool">
      <summary>{said}</summary>
      <pre tabIndex={0}>{detail}</pre>
    </details>
  );
}

const LEVELS = { info: { tone: '', Icon: Info }, warning: { tone: 'warn', Icon: TriangleAlert }, error: { tone: 'bad', Icon: CircleAlert } } as const;

function Notice({ item: { level, words } }: { item: ItemOf<'notice'> }) {
  const { tone, Icon } = LEVELS[level];
  return (
    <p className={`notice ${tone}`}>
      <Icon size={13} aria-hidden />
      <span>{words}</span>
    </p>
  );
}

function Conventions({ item: { taken, left } }: { item: ItemOf<'conventions'> }) {
  if (taken.length === 0 && left.length === 0) return null;
  return (
    <details className="aside">
      <summary>
        <BookOpen size={13} aria-hidden />
        {messages.conventionsTaken(count(taken.length, 'file'))}
      </summary>
      <ul>
        {taken.map(({ path }) => (
          <li key={path}><code>{path}</code></li>
        ))}
        {left.map(({ path, why }) => (
          <li key={path}><code>{path}</code>: {why}</li>
        ))}
      </ul>
    </details>
  );
}

/** What the model wants to do and may not by itself. */
function Approval({ session, item: { approval, title, detail, choices, answer } }: { session: string; item: ItemOf<'approval'> }) {
  const editor = useEditor();
  return (
    <section className={`card approval${answer === null ? ' waits' : ''}`} aria-label={messages.approval(title)}>
      <h3>{title}</h3>
      {detail !== '' && <pre tabIndex={0}>{detail}</pre>}
      {answer === null ? (
        <div className="foot">
          {choices.map((choice) => (
            <button key={choice} type="button" className={`button${choice === 'once' ? ' primary' : ''}`} onClick={() => void answerApproval(editor, session, approval, choice)}>
              {messages.answers[choice] ?? choice}
            </button>
          ))}
        </div>
      ) : (
        <p className="meta">{messages.answered[answer] ?? answer}</p>
      )}
    </section>
  );
}
