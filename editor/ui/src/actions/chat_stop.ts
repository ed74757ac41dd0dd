import { known } from '../api/result.ts';
import { stopChat } from '../model/chatting.ts';
import { chatShown } from '../model/models.ts';
import { action } from './action.ts';

export const chatStop = action({
  id: 'chat-stop',
  label: 'Stop the chat',
  group: 'Project',
  hidden: (model) => !chatShown(model),
  available: ({ chats, chat }) => {
    const session = known(chats)?.sessions.find(({ id }) => id === chat);
    return session?.status === 'running' || session?.status === 'waiting' || 'The chat does nothing now.';
  },
  perform: (editor) => {
    const { chat } = editor.store.getState();
    return chat === null ? undefined : stopChat(editor, chat);
  },
});
