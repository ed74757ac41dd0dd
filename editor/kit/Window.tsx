import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from './returnFocus.ts';
import { words } from './words.ts';

/** A dialog: title, words, body, buttons. `aside` leaves the page in view. */
export function Window({ title, about, children, foot, onClose, wide = false, aside = false }: { title: string; about?: ReactNode; children?: ReactNode; foot?: ReactNode; onClose: () => void; wide?: boolean; aside?: boolean }) {
  const returnFocus = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className={`veil${aside ? ' clear' : ''}`} />
        <Dialog.Content className={`dialog${wide ? ' wide' : ''}${aside ? ' aside' : ''}`} onOpenAutoFocus={focusFirst} onCloseAutoFocus={returnFocus} onEscapeKeyDown={keepTyped} {...(about === undefined ? { 'aria-describedby': undefined } : {})}>
          <div className="dialog-head">
            <Dialog.Title asChild>
              <h2>{title}</h2>
            </Dialog.Title>
            <Dialog.Close className="icon-button small" aria-label={words.close}>
              <X size={16} aria-hidden />
            </Dialog.Close>
          </div>
          <div className="dialog-body">
            {about !== undefined && (
              <Dialog.Description asChild>
                <div className="dialog-words">{about}</div>
              </Dialog.Description>
            )}
            {children}
          </div>
          {foot !== undefined && <div className="dialog-foot">{foot}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What is asked for has the focus first, not the button that closes. */
function focusFirst(event: Event): void {
  const [first] = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.dialog-body :is(input, textarea, [role="radio"][aria-checked="true"])');
  if (!first) return;
  event.preventDefault();
  first.focus();
}

/** Escape in a field that says it is `data-dirty` takes back what was typed there; the next one closes. */
function keepTyped(event: Event): void {
  if (document.activeElement instanceof HTMLElement && document.activeElement.dataset['dirty'] !== undefined) event.preventDefault();
}
