import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { actionById } from '../actions/index.ts';
import { perform } from '../actions/perform.ts';
import { dismiss } from '../model/say.ts';
import { useEditor, useModel } from '../react/use.ts';
import { messages } from '../messages.ts';

const ICONS = { plain: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };
/** Bad news stays until it was read; in milliseconds. */
const TIME = { plain: 5_000, good: 5_000, warn: 20_000, bad: 20_000 };

/** Messages, and what assistive technology is told. */
export function Toasts() {
  const editor = useEditor();
  const toasts = useModel((model) => model.toasts);
  const spoken = useModel((model) => model.spoken);
  return (
    <Toast.Provider swipeDirection="right">
      <div className="hidden" role="status" aria-live="polite">
        {spoken}
      </div>
      {toasts.map(({ id, tone, title, words: text, action }) => {
        const Icon = ICONS[tone];
        const offered = action === null ? undefined : actionById(action);
        return (
          <Toast.Root key={id} className={`toast ${tone}`} duration={TIME[tone]} type={tone === 'bad' || tone === 'warn' ? 'foreground' : 'background'} onOpenChange={(open) => (open ? undefined : dismiss(editor, id))}>
            <Icon size={15} aria-hidden />
            <div>
              <Toast.Title asChild>
                <strong>{title}</strong>
              </Toast.Title>
              {text !== '' && <Toast.Description className="words">{text}</Toast.Description>}
              {offered && (
                <div className="actions">
                  <Toast.Action className="button" altText={offered.label} onClick={() => perform(editor, offered.id)}>
                    {offered.label.replace('…', '')}
                  </Toast.Action>
                </div>
              )}
            </div>
            <Toast.Close className="icon-button small" aria-label={messages.close}>
              <X size={14} aria-hidden />
            </Toast.Close>
          </Toast.Root>
        );
      })}
      <Toast.Viewport className="toasts" />
    </Toast.Provider>
  );
}
