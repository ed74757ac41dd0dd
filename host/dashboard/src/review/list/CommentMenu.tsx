import { Window } from '@kit/Window.tsx';
import { words } from '@kit/words.ts';
import { Ellipsis, Link2, PencilLine, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef, useState } from 'react';
import { reviewWords } from '../../words.ts';
import { copyLink, remove } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import type { ShownComment, ShownReply } from '../model/merge.ts';

/** The rarer things one does with a comment or a reply. What one may not do is absent. */
export function CommentMenu({ comment, reply, mayChange, onEdit }: { comment: ShownComment; reply?: ShownReply; mayChange: boolean; onEdit: () => void }) {
  const around = useReviewing();
  const [asking, setAsking] = useState(false);
  const chosen = useRef<(() => void) | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const take = (act: () => void) => (): void => {
    chosen.current = act;
  };
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger ref={trigger} className="icon-button small" aria-label={reply ? reviewWords.replyActions : reviewWords.actions(comment.number)}>
          <Ellipsis size={15} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            className="menu"
            align="end"
            sideOffset={4}
            collisionPadding={8}
            // What was chosen happens when the menu is gone: it would take the focus back otherwise.
            onCloseAutoFocus={(event) => {
              if (!chosen.current) return;
              event.preventDefault();
              trigger.current?.focus();
              chosen.current();
              chosen.current = null;
            }}
          >
            {!reply && (
              <DropdownMenu.Item className="menu-item" onSelect={take(() => void copyLink(comment))}>
                <Link2 size={14} aria-hidden />
                {reviewWords.linkTo}
              </DropdownMenu.Item>
            )}
            {mayChange && (
              <>
                <DropdownMenu.Item className="menu-item" onSelect={take(onEdit)}>
                  <PencilLine size={14} aria-hidden />
                  {reviewWords.edit}
                </DropdownMenu.Item>
                <DropdownMenu.Item className="menu-item" onSelect={take(() => setAsking(true))}>
                  <Trash2 size={14} aria-hidden />
                  {reviewWords.remove}
                </DropdownMenu.Item>
              </>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {asking && (
        <Window
          title={reviewWords.removeAsk(reply ? 'reply' : 'comment')}
          about={reviewWords.removeHelp}
          onClose={() => setAsking(false)}
          foot={
            <>
              <button type="button" className="button" onClick={() => setAsking(false)}>
                {words.cancel}
              </button>
              <button
                type="button"
                className="button danger"
                onClick={() => {
                  setAsking(false);
                  void remove(around, comment.id, reply?.id ?? null);
                }}
              >
                {reviewWords.remove}
              </button>
            </>
          }
        />
      )}
    </>
  );
}
