/** Listening to the chat that is shown, from the number that is known of it. The others tell that their status changed by the program's events. */
import { parseChatEvent, sessionPath, type Turn } from '../api/chat.ts';
import { address } from '../api/client.ts';
import { listenTo, type Message } from '../api/stream.ts';
import { changeThread, chatGone, loadOlder, threadIn } from '../model/chats.ts';
import type { Editor } from '../model/editor.ts';
import { startAt } from '../model/in_order.ts';
import { speak } from '../model/say.ts';
import { told } from '../model/thread.ts';
import { messages } from '../messages.ts';

/** Keeps listening to whatever chat is shown; gives a function that stops. */
export function attachToShown(editor: Editor): () => void {
  const { store } = editor;
  let attached: { id: string; stop: () => void } | null = null;
  const follow = (): void => {
    const { chat, threads } = store.getState();
    const id = threadIn({ threads }, chat) === null ? null : chat;
    if ((attached?.id ?? null) === id) return;
    attached?.stop();
    attached = id === null ? null : { id, stop: attach(editor, id) };
  };
  follow();
  const forget = store.subscribe(follow);
  return () => (forget(), attached?.stop());
}

function attach(editor: Editor, id: string): () => void {
  let stop = new AbortController();
  const listen = (): void => {
    const { signal } = stop;
    void listenTo(
      editor.world.send,
      {
        address: () => address(`${sessionPath(id)}/events`, { after: threadIn(editor.store.getState(), id)?.events.last }),
        onConnection: () => undefined,
        onMessage: (message) => {
          if (!take(editor, id, message)) return;
          stop.abort();
          stop = new AbortController();
          changeThread(editor, id, (thread) => ({ ...thread, events: startAt(thread.events.last) }));
          listen();
        },
      },
      signal,
    );
  };
  listen();
  return () => stop.abort();
}

/** Takes one event. Gives whether events were lost, so that the stream has to be read again. */
function take(editor: Editor, id: string, message: Message): boolean {
  const before = threadIn(editor.store.getState(), id);
  if (before === null) return false;
  const event = parseChatEvent(message.event, message.data);
  const number = message.id === null ? null : Number(message.id);
  const { thread, gone, torn } = told(before, Number.isSafeInteger(number) ? number : null, event);
  if (gone) {
    chatGone(editor, id);
    return false;
  }
  changeThread(editor, id, () => thread);
  tell(editor, before.turns.at(-1), thread.turns.at(-1));
  if (event.event === 'snapshot') void loadOlder(editor, id);
  return torn;
}

/** Words for assistive technology: the answer itself would be read out piece by piece. */
function tell(editor: Editor, before: Turn | undefined, now: Turn | undefined): void {
  if (!now || before?.id !== now.id || before.status === now.status) return;
  if (now.status === 'done') speak(editor, messages.turnDone);
  if (now.status === 'waiting') speak(editor, messages.approvalWaits);
}
