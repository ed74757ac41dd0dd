import { known } from '../api/result.ts';
import { newChat } from '../model/chatting.ts';
import { showRight } from '../model/model.ts';
import { chatShown } from '../model/models.ts';
import { action } from './action.ts';

export const chatNew = action({
  id: 'chat-new',
  label: 'New chat',
  group: 'Project',
  hidden: (model) => !chatShown(model) || known(model.chats)?.single === true,
  perform: async (editor) => {
    showRight(editor, 'chat');
    await newChat(editor);
  },
});
