import { useLayoutEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { reviewWords } from '../../words.ts';
import { setMode } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { Composer } from '../list/Composer.tsx';
import { useReview, type Placing } from '../store.ts';
import { useSpace } from './useSpace.ts';

const WIDTH = 320;
const GAP = 12;

/** Where one writes a new comment: beside the element that was clicked, on a phone at the bottom. */
export default function PlacingCard({ narrow, frame }: { narrow: boolean; frame: RefObject<HTMLIFrameElement | null> }) {
  const placing = useReview((state) => state.placing);
  if (!placing) return null;
  return createPortal(<Card placing={placing} narrow={narrow} frame={frame} />, document.querySelector('.review') ?? document.body);
}

function Card({ placing, narrow, frame }: { placing: Placing; narrow: boolean; frame: RefObject<HTMLIFrameElement | null> }) {
  const { project } = useReviewing();
  const scale = useReview((state) => state.frame.scale);
  // Unseen until its place is known, and yet able to take the focus.
  const card = useRef<HTMLDivElement>(null);
  const [style, setStyle] = useState<CSSProperties>({ opacity: 0 });
  // It grows with what is said and added below the text: then it moves up, so that its buttons stay in reach.
  const { height: ownHeight } = useSpace(card);
  useLayoutEffect(() => {
    if (narrow) return setStyle({});
    const [around, own] = [frame.current?.getBoundingClientRect(), card.current?.getBoundingClientRect()];
    if (!around || !own) return;
    const { x, y, width, height } = placing.rect;
    const point = pointOf(placing);
    const [left, top] = [around.left + (x + width * point.x) * scale, around.top + (y + height * point.y) * scale];
    const right = left + GAP + WIDTH <= around.right - 8;
    setStyle({
      left: Math.max(8, right ? left + GAP : Math.max(around.left + 8, left - GAP - WIDTH)),
      top: Math.max(around.top + 8, Math.min(top + GAP, window.innerHeight - own.height - 12)),
    });
  }, [placing, scale, narrow, frame, ownHeight]);
  const leave = (): void => {
    useReview.setState({ placing: null });
    // There Tab goes on from the element that was chosen.
    frame.current?.focus();
  };
  const done = (): void => {
    useReview.setState({ placing: null });
    setMode('use');
  };
  const title = reviewWords.placing(placing.label);
  return (
    <div ref={card} className={`placing${narrow ? ' sheet' : ''}`} role="group" aria-label={title} style={style}>
      <p className="placing-title">{title}</p>
      <Composer
        place="new"
        label={title}
        button={reviewWords.send}
        autoFocus
        images
        target={{ replyTo: null, position: placing.position, deploymentId: placing.deployment ?? project.activeDeploymentId }}
        onSent={done}
        onCancel={leave}
      />
    </div>
  );
}

/** The place inside the element that was clicked, as the bridge says. */
function pointOf({ position }: Placing): { x: number; y: number } {
  const point = position.anchor?.['point'] as { x?: unknown; y?: unknown } | undefined;
  const share = (value: unknown): number => (typeof value === 'number' && value >= 0 && value <= 1 ? value : 0.5);
  return { x: share(point?.x), y: share(point?.y) };
}
