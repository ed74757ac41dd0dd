import { ChevronDown, MoreHorizontal } from 'lucide-react';
import { DropdownMenu, Tabs } from 'radix-ui';
import { useState, type FormEvent } from 'react';
import { chatNew } from '../../actions/chat_new.ts';
import type { ChatSession, ChatSessions } from '../../api/chat.ts';
import { openChat } from '../../model/chats.ts';
import { deleteChat, renameChat } from '../../model/chatting.ts';
import { costOf } from '../../model/costs.ts';
import { ActionIcon } from '../../components/ActionButton.tsx';
import { Window } from '@kit/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** The chats, the newest first, and what can be done with the one that is shown; the others run on. */
export function ChatBar({ chats: { sessions, single }, tabs }: { chats: ChatSessions; tabs: readonly ChatSession[] }) {
  const chat = useModel((model) => model.chat);
  const shown = sessions.find(({ id }) => id === chat);
  const others = sessions.filter((session) => !tabs.includes(session) && session !== shown);
  return (
    <>
      {tabs.length > 0 && (
        <Tabs.List className="tabs" aria-label={messages.chats}>
          {tabs.map((session) => (
            <Tabs.Trigger key={session.id} className="tab chat-tab" value={session.id} title={session.title}>
              <span className="text">{session.title}</span>
              <Status session={session} />
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      )}
      <div className="panel-bar">
        {shown && tabs.length === 0 && (
          <>
            <span className="title" title={shown.title}>{shown.title}</span>
            <Status session={shown} />
          </>
        )}
        <span className="gap" />
        {shown && shown.cost.usd > 0 && <span className="meta" title={messages.costTokens(shown.cost)}>{costOf(shown.cost, shown.ceilingUsd)}</span>}
        {!single && others.length > 0 && <Others sessions={others} />}
        {shown && <ChatMenu key={shown.id} session={shown} />}
        {!single && <ActionIcon action={chatNew} small />}
      </div>
    </>
  );
}

/** What a chat does, where that is worth a word. */
function Status({ session: { status } }: { session: ChatSession }) {
  if (status === 'failed') return <span className="badge bad">{messages.chatStatus.failed}</span>;
  if (status === 'waiting') return <span className="badge warn">{messages.chatStatus.waiting}</span>;
  if (status === 'running') {
    return (
      <>
        <span className="spinner" aria-hidden />
        <span className="hidden">{messages.chatStatus.running}</span>
      </>
    );
  }
  return null;
}

function Others({ sessions }: { sessions: ChatSession[] }) {
  const editor = useEditor();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="icon-button small" aria-label={messages.otherChats} title={messages.otherChats}>
        <ChevronDown size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {sessions.map((session) => (
            <DropdownMenu.Item key={session.id} className="menu-item" onSelect={() => void openChat(editor, session.id)}>
              <span>{session.title}</span>
              <Status session={session} />
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function ChatMenu({ session }: { session: ChatSession }) {
  const [asks, setAsks] = useState<'rename' | 'delete' | null>(null);
  const close = (): void => setAsks(null);
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="icon-button small" aria-label={messages.chatMenu(session.title)} title={messages.more}>
          <MoreHorizontal size={14} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
            <DropdownMenu.Item className="menu-item" onSelect={() => setAsks('rename')}>{messages.renameChat}</DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => setAsks('delete')}>{messages.deleteChat}</DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {asks === 'rename' && <Rename session={session} onClose={close} />}
      {asks === 'delete' && <Delete session={session} onClose={close} />}
    </>
  );
}

const MAX_TITLE = 120;

function Rename({ session, onClose }: { session: ChatSession; onClose: () => void }) {
  const editor = useEditor();
  const [title, setTitle] = useState(session.title);
  const wanted = title.trim();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (wanted === '' || (await renameChat(editor, session.id, wanted))) onClose();
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="submit" form="rename-chat" className="button primary" disabled={wanted === ''}>
        {messages.rename}
      </button>
    </>
  );
  return (
    <Window title={messages.renameChatTitle} foot={foot} onClose={onClose}>
      <form id="rename-chat" className="form" onSubmit={(event) => void save(event)}>
        <label>
          {messages.chatName}
          <input className="input" maxLength={MAX_TITLE} value={title} onChange={(event) => setTitle(event.target.value)} />
        </label>
      </form>
    </Window>
  );
}

function Delete({ session, onClose }: { session: ChatSession; onClose: () => void }) {
  const editor = useEditor();
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="button" className="button danger" onClick={() => void deleteChat(editor, session.id).then(onClose)}>
        {messages.delete}
      </button>
    </>
  );
  return <Window title={messages.deleteChatTitle(session.title)} about={messages.deleteChatHelp} foot={foot} onClose={onClose} />;
}
