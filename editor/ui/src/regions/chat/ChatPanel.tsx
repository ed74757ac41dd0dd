import { Tabs } from 'radix-ui';
import { IDLE } from '../../api/result.ts';
import type { ChatSessions } from '../../api/chat.ts';
import { loadChats, loadThread, openChat, tabsOf } from '../../model/chats.ts';
import { Remotely } from '../../components/Remotely.tsx';
import { State } from '@kit/State.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { ChatBar } from './ChatBar.tsx';
import { Composer } from './Composer.tsx';
import { ThreadView } from './ThreadView.tsx';

/** Chats with a model about the prototype, side by side in tabs. */
export default function ChatPanel() {
  const editor = useEditor();
  const chats = useModel((model) => model.chats);
  return (
    <Remotely of={chats} loading={messages.readingChats} failed={messages.failedChats} again={() => loadChats(editor)}>
      {(list) => <Chats chats={list} />}
    </Remotely>
  );
}

function Chats({ chats }: { chats: ChatSessions }) {
  const editor = useEditor();
  const chat = useModel((model) => model.chat);
  const tabs = tabsOf(chats, chat);
  return (
    <Tabs.Root className="side" value={chat ?? ''} onValueChange={(id) => void openChat(editor, id)}>
      <ChatBar chats={chats} tabs={tabs} />
      {chat === null && (
        <div className="scroll">
          <State title={messages.noChats}>{messages.noChatsHelp}</State>
        </div>
      )}
      {chat !== null && tabs.length === 0 && <Shown key={chat} chat={chat} />}
      {tabs.map(({ id }) => (
        <Tabs.Content key={id} className="side thread-side" value={id} tabIndex={-1}>
          <Shown chat={id} />
        </Tabs.Content>
      ))}
      <Composer />
    </Tabs.Root>
  );
}

function Shown({ chat }: { chat: string }) {
  const editor = useEditor();
  const thread = useModel((model) => model.threads[chat] ?? IDLE);
  return (
    <Remotely of={thread} loading={messages.readingChat} failed={messages.failedChat} again={() => loadThread(editor, chat)}>
      {(known) => <ThreadView thread={known} />}
    </Remotely>
  );
}
