import { Tabs } from 'radix-ui';
import { Suspense } from 'react';
import { later } from '../components/later.tsx';
import { Loading } from '@kit/State.tsx';
import { chatsWork } from '../model/chats.ts';
import { loadDiff, loadHistory } from '../model/loading.ts';
import type { RightTab } from '../model/model.ts';
import { chatShown } from '../model/models.ts';
import { useEditor, useModel } from '../react/use.ts';
import { known } from '../api/result.ts';
import { messages } from '../messages.ts';
import { CommentsPanel } from './comments/CommentsPanel.tsx';
import { ChangesPanel } from './changes/ChangesPanel.tsx';
import { HistoryPanel } from './changes/HistoryPanel.tsx';
import { Inspector } from './inspector/Inspector.tsx';

const ChatPanel = later(() => import('./chat/ChatPanel.tsx'));

export function RightSide() {
  const editor = useEditor();
  const tab = useModel((model) => model.rightTab);
  const comments = useModel((model) => known(model.comments)?.filter(({ resolved }) => !resolved).length ?? 0);
  const changes = useModel((model) => known(model.git)?.files.length ?? 0);
  const chat = useModel(chatShown);
  const working = useModel(chatsWork);
  const change = (value: string): void => {
    editor.store.setState({ rightTab: value as RightTab });
    if (value === 'changes') void loadDiff(editor);
    if (value === 'history') void loadHistory(editor);
  };
  return (
    <Tabs.Root className="side" value={tab} onValueChange={change}>
      <Tabs.List className="tabs" aria-label={messages.inspector}>
        <Tabs.Trigger className="tab" value="inspect">{messages.inspectTab}</Tabs.Trigger>
        <Tabs.Trigger className="tab" value="comments">
          {messages.commentsTab}
          {comments > 0 && <span className="count">{comments}</span>}
        </Tabs.Trigger>
        <Tabs.Trigger className="tab" value="changes">
          {messages.changesTab}
          {changes > 0 && <span className="count">{changes}</span>}
        </Tabs.Trigger>
        <Tabs.Trigger className="tab" value="history">{messages.historyTab}</Tabs.Trigger>
        {chat && (
          <Tabs.Trigger className="tab" value="chat">
            {messages.chatTab}
            {working !== null && (
              <>
                <span className={`dot${working === 'waiting' ? ' warn' : ' good'}`} title={messages.chatStatus[working]} />
                <span className="hidden">, {messages.chatStatus[working]}</span>
              </>
            )}
          </Tabs.Trigger>
        )}
      </Tabs.List>
      <Tabs.Content className="side" style={{ flex: 1 }} value="inspect" tabIndex={-1}><Inspector /></Tabs.Content>
      <Tabs.Content className="side" style={{ flex: 1 }} value="comments" tabIndex={-1}><CommentsPanel /></Tabs.Content>
      <Tabs.Content className="side" style={{ flex: 1 }} value="changes" tabIndex={-1}><ChangesPanel /></Tabs.Content>
      <Tabs.Content className="side" style={{ flex: 1 }} value="history" tabIndex={-1}><HistoryPanel /></Tabs.Content>
      {chat && (
        <Tabs.Content className="side" style={{ flex: 1 }} value="chat" tabIndex={-1}>
          <Suspense fallback={<Loading what={messages.readingChats} />}>
            <ChatPanel />
          </Suspense>
        </Tabs.Content>
      )}
    </Tabs.Root>
  );
}
