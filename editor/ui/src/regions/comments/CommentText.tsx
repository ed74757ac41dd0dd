import { piecesOf } from '@kit/mentions.ts';
import { useModel } from '../../react/use.ts';
import type { Participant } from '../../api/project.ts';
import { known } from '../../api/result.ts';

const NOBODY: Participant[] = [];

/** What somebody wrote, with the people it mentions marked: those the server told of, not whoever is written of. */
export function CommentText({ body, mentions }: { body: string; mentions: readonly string[] }) {
  const people = useModel((model) => known(model.participants) ?? NOBODY);
  const named = people.filter(({ id }) => mentions.includes(id));
  return (
    <p className="words">
      {piecesOf(body, named).map(({ text, person }, index) => (person ? <b key={index} className="mention">{text}</b> : <span key={index}>{text}</span>))}
    </p>
  );
}
