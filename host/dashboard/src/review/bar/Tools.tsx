import { Segments } from '@kit/Segments.tsx';
import { Tip } from '@kit/Tip.tsx';
import { Link2, MessageSquarePlus, MousePointer2, PanelRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { AccountMenu } from '../../shell/AccountMenu.tsx';
import { Tips } from '../../shell/Tips.tsx';
import { reviewWords } from '../../words.ts';
import { copyLink, setMode, setPanel } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { useReview } from '../store.ts';
import { More } from './More.tsx';
import { WIDTHS } from './widths.ts';
import { Zoom } from './Zoom.tsx';

/** The right part of the bar, in a script of its own: the prototype is shown before it. */
export default function Tools({ narrow }: { narrow: boolean }) {
  const { mayComment } = useReviewing();
  const panel = useReview((state) => state.panel);
  if (narrow) {
    return (
      <Tips>
        <span className="review-gap" />
        <More narrow />
        <AccountMenu />
      </Tips>
    );
  }
  return (
    <Tips>
      <span className="review-gap" />
      <div className="review-view" role="group" aria-label={reviewWords.bar}>
        <Widths />
        <Zoom />
      </div>
      <span className="review-gap" />
      {mayComment && <Modes />}
      <Tip words={reviewWords.copyLink}>
        <button type="button" className="button share" aria-label={`${reviewWords.share}: ${reviewWords.copyLink}`} onClick={() => void copyLink(null)}>
          <Link2 size={14} aria-hidden />
          <span>{reviewWords.share}</span>
        </button>
      </Tip>
      <More narrow={false} />
      <Tip words={panel ? reviewWords.hidePanel : reviewWords.showPanel}>
        <button type="button" className="icon-button" aria-pressed={panel} aria-label={panel ? reviewWords.hidePanel : reviewWords.showPanel} onClick={() => setPanel(!panel)}>
          <PanelRight size={16} aria-hidden />
        </button>
      </Tip>
      <AccountMenu />
    </Tips>
  );
}

function Widths() {
  const width = useReview((state) => state.width);
  const options = WIDTHS.map(({ id, width: pixels, icon: Icon }) => ({
    value: id,
    label: pixels === null ? `${reviewWords.widths[id]}: ${reviewWords.fill}` : `${reviewWords.widths[id]}, ${pixels} px`,
    show: <Icon size={15} aria-hidden />,
  }));
  return <Segments label={reviewWords.width} value={WIDTHS.find((each) => each.width === width)?.id ?? ''} options={options} onChange={(id) => useReview.setState({ width: WIDTHS.find((each) => each.id === id)?.width ?? null })} />;
}

function Modes() {
  const mode = useReview((state) => state.mode);
  return (
    <Segments
      className="mode"
      label={reviewWords.modes}
      value={mode}
      options={[
        { value: 'use', label: reviewWords.useHelp, show: <Labelled icon={<MousePointer2 size={14} aria-hidden />} words={reviewWords.use} /> },
        { value: 'comment', label: reviewWords.commentHelp, keys: 'C', show: <Labelled icon={<MessageSquarePlus size={14} aria-hidden />} words={reviewWords.comment} /> },
      ]}
      onChange={(value) => setMode(value === 'comment' ? 'comment' : 'use')}
    />
  );
}

function Labelled({ icon, words }: { icon: ReactNode; words: string }) {
  return (
    <span className="labelled">
      {icon}
      <span>{words}</span>
    </span>
  );
}
