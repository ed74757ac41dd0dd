/** The prototype's page: messages to and from the bridge inside it, with the run's nonce, to its exact origin. */
import type { Anchor } from '@kit/anchor.ts';
import { MAX_PINS, type PlacedPin } from '@kit/review.ts';
import type { FromPage, PageNode, Target, ToPage } from '../../../bridge/src/editor_messages.ts';
import * as v from 'valibot';

export type { FromPage, PageNode, Place as MarkedPlace, Target, ToPage } from '../../../bridge/src/editor_messages.ts';

const Box = v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() });
const Point = v.object({ x: v.number(), y: v.number() });
const word = v.nullable(v.string());

const TargetSchema: v.GenericSchema<unknown, Target> = v.object({
  id: v.number(),
  src: word,
  tag: v.string(),
  rect: Box,
  selector: v.string(),
  text: v.string(),
  classes: v.array(v.string()),
  shared: v.number(),
  index: v.number(),
  within: word,
  ancestors: v.array(v.object({ id: v.number(), src: v.string(), tag: v.string() })),
  styles: v.record(v.string(), v.string()),
});

const NodeSchema: v.GenericSchema<unknown, PageNode> = v.object({
  id: v.number(),
  src: v.string(),
  tag: v.string(),
  mark: v.optional(v.string(), ''),
  text: v.string(),
  children: v.lazy(() => v.array(NodeSchema)),
});

const line = v.pipe(v.string(), v.maxLength(2_000));
/** The page's claim: shown nowhere, and kept by the server as it is. */
const AnchorSchema: v.GenericSchema<unknown, Anchor> = v.object({
  v: v.literal(1),
  ...v.entriesFromList(['tag', 'role', 'name', 'text', 'prefix', 'suffix', 'path', 'label', 'before', 'after', 'parent', 'extent', 'above', 'below', 'classes'], line),
  attrs: v.object(v.entriesFromList(['testid', 'id', 'name', 'href', 'src', 'alt', 'placeholder'], v.exactOptional(line))),
  ...v.entriesFromList(['nth', 'rival', 'likeness'], v.number()),
  point: Point,
  box: Box,
  viewport: v.object({ width: v.number(), height: v.number() }),
});

const PlacedSchema: v.GenericSchema<unknown, PlacedPin> = v.object({
  id: v.string(),
  state: v.picklist(['exact', 'moved', 'selector', 'detached', 'hidden', 'elsewhere', 'searching']),
  score: v.nullable(v.number()),
  rect: v.nullable(Box),
  guess: v.nullable(v.object({ text: line, score: v.number(), rect: Box })),
});

const Under = v.array(v.object({ id: v.number(), src: word, tag: v.string() }));

const MessageSchema = v.variant('type', [
  v.object({ type: v.literal('editor:ready'), version: v.number(), page: v.string(), title: v.string() }),
  v.object({ type: v.literal('editor:page'), page: v.string(), title: v.string() }),
  v.object({ type: v.literal('editor:hovered'), target: v.nullable(TargetSchema) }),
  v.object({ type: v.literal('editor:selected'), target: v.nullable(TargetSchema), under: Under }),
  v.object({ type: v.literal('editor:moved'), target: TargetSchema }),
  v.object({ type: v.literal('editor:added'), target: TargetSchema }),
  v.object({ type: v.literal('editor:marked'), count: v.number() }),
  v.object({ type: v.literal('editor:before'), shown: v.boolean() }),
  v.object({ type: v.literal('editor:structure'), nodes: v.array(NodeSchema) }),
  v.object({ type: v.literal('editor:conditions'), id: v.number(), holds: v.record(v.string(), v.boolean()) }),
  v.object({
    type: v.literal('editor:text'),
    id: v.number(),
    src: v.string(),
    index: v.number(),
    run: v.nullable(v.number()),
    before: v.string(),
    text: v.string(),
    edit: v.string(),
  }),
  v.object({ type: v.literal('editor:text-cancelled'), id: v.number() }),
  v.object({ type: v.literal('editor:wants-text'), target: TargetSchema, at: Point }),
  v.object({ type: v.literal('editor:no-text'), target: TargetSchema }),
  v.object({ type: v.literal('editor:wants-drag'), src: v.string() }),
  v.object({ type: v.literal('editor:placed'), target: TargetSchema, x: v.number(), y: v.number(), anchor: AnchorSchema }),
  v.object({ type: v.literal('editor:drop'), src: v.string(), to: v.string(), tag: v.string(), place: v.picklist(['before', 'after', 'last']), edit: v.string() }),
  v.object({ type: v.literal('editor:pins'), pins: v.pipe(v.array(PlacedSchema), v.maxLength(MAX_PINS)) }),
  v.object({ type: v.literal('editor:read'), id: v.string(), answer: v.unknown() }),
  v.object({ type: v.literal('editor:pin'), id: v.string() }),
  v.object({
    type: v.literal('editor:key'),
    key: v.string(),
    meta: v.boolean(),
    ctrl: v.boolean(),
    shift: v.boolean(),
    alt: v.boolean(),
  }),
  v.object({ type: v.literal('editor:menu'), target: TargetSchema, x: v.number(), y: v.number() }),
  v.object({ type: v.literal('editor:error'), message: v.string() }),
]);

/** A message of the page, when it is one and carries the run's nonce. */
export function parsePageMessage(data: unknown, nonce: string): FromPage | undefined {
  if (typeof data !== 'object' || data === null || !('nonce' in data) || data.nonce !== nonce) return undefined;
  const parsed = v.safeParse(MessageSchema, data);
  return parsed.success ? parsed.output : undefined;
}

/** The preview shows the prototype once, or twice side by side. */
export type Pane = 'main' | 'side';
export const PANES: readonly Pane[] = ['main', 'side'];

/** A message with the pane it came from. */
export type Heard = FromPage & { pane: Pane };

/** The pages in the preview. `send` does nothing while no page is there. */
export interface PageChannel {
  /** The pane that is worked in: handles of elements are of its page. */
  lead: Pane;
  /** Tells every page that a message concerns; with `pane` that one alone. */
  send(message: ToPage, pane?: Pane): void;
  /** Names the frame a pane's page is in; `null` when there is none. */
  attach(frame: Window | null, origin: string, nonce: string, pane?: Pane): void;
  /** Hands over a message event of the interface's window. */
  receive(event: Pick<MessageEvent, 'data' | 'origin' | 'source'>): Heard | undefined;
}

export function createPageChannel(): PageChannel {
  const attached = new Map<Pane, { frame: Window; origin: string; nonce: string }>();
  const post = (pane: Pane, message: ToPage): void => {
    const to = attached.get(pane);
    to?.frame.postMessage({ ...message, nonce: to.nonce }, to.origin);
  };
  const channel: PageChannel = {
    lead: 'main',
    attach: (frame, origin, nonce, pane = 'main') => void (frame === null ? attached.delete(pane) : attached.set(pane, { frame, origin, nonce })),
    send: (message, pane) => {
      if (pane !== undefined) return post(pane, message);
      post(channel.lead, message);
      const following = forOthers(message);
      if (following) for (const other of PANES) if (other !== channel.lead) post(other, following);
    },
    receive: (event) => {
      for (const [pane, { frame, origin, nonce }] of attached) {
        if (event.source !== frame || event.origin !== origin) continue;
        const message = parsePageMessage(event.data, nonce);
        return message && { ...message, pane };
      }
      return undefined;
    },
  };
  return channel;
}

/** What the pages beside the one that is worked in are told: elements by their stamps, as handles are of one page alone. */
function forOthers(message: ToPage): ToPage | null {
  switch (message.type) {
    case 'editor:mode':
    case 'editor:pins':
    case 'editor:mark':
    case 'editor:keep':
    case 'editor:before':
    case 'editor:follow':
      return message;
    case 'editor:preview':
      return { type: message.type, property: message.property, value: message.value };
    case 'editor:select': {
      const { src, index, scroll } = message;
      if (src === undefined && message.id !== undefined) return null;
      return { type: message.type, quiet: true, ...(src === undefined ? {} : { src, index: index ?? 0 }), ...(scroll === undefined ? {} : { scroll }) };
    }
    case 'editor:hover': {
      const { src, index } = message;
      return src === undefined ? { type: message.type } : { type: message.type, src, index: index ?? 0 };
    }
    case 'editor:go':
      return message.to === 'reload' ? message : null;
    default:
      return null;
  }
}
