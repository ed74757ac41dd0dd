/** The prototype's page: messages to and from the bridge inside it, with the run's nonce, to its exact origin. */
import type { FromPage, PageNode, Target, ToPage } from '../../../bridge/src/editor_messages.ts';
import * as v from 'valibot';

export type { FromPage, PageNode, Pin, Target, ToPage } from '../../../bridge/src/editor_messages.ts';

const Box = v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() });
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
  text: v.string(),
  children: v.lazy(() => v.array(NodeSchema)),
});

const Under = v.array(v.object({ id: v.number(), src: word, tag: v.string() }));

const MessageSchema = v.variant('type', [
  v.object({ type: v.literal('editor:ready'), version: v.number(), page: v.string(), title: v.string() }),
  v.object({ type: v.literal('editor:page'), page: v.string(), title: v.string() }),
  v.object({ type: v.literal('editor:hovered'), target: v.nullable(TargetSchema) }),
  v.object({ type: v.literal('editor:selected'), target: v.nullable(TargetSchema), under: Under }),
  v.object({ type: v.literal('editor:moved'), target: TargetSchema }),
  v.object({ type: v.literal('editor:structure'), nodes: v.array(NodeSchema) }),
  v.object({
    type: v.literal('editor:text'),
    id: v.number(),
    src: v.string(),
    index: v.number(),
    run: v.nullable(v.number()),
    before: v.string(),
    text: v.string(),
  }),
  v.object({ type: v.literal('editor:text-cancelled'), id: v.number() }),
  v.object({ type: v.literal('editor:wants-text'), target: TargetSchema, run: v.nullable(v.number()) }),
  v.object({ type: v.literal('editor:placed'), target: TargetSchema, x: v.number(), y: v.number() }),
  v.object({ type: v.literal('editor:drop'), src: v.string(), to: v.string(), tag: v.string(), place: v.picklist(['before', 'after', 'last']) }),
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

/** The page in the preview. `send` does nothing while no page is there. */
export interface PageChannel {
  send(message: ToPage): void;
  /** Names the frame the page is in; `null` when there is none. */
  attach(frame: Window | null, origin: string, nonce: string): void;
  /** Hands over a message event of the interface's window. */
  receive(event: Pick<MessageEvent, 'data' | 'origin' | 'source'>): FromPage | undefined;
}

export function createPageChannel(): PageChannel {
  let attached: { frame: Window; origin: string; nonce: string } | null = null;
  return {
    attach: (frame, origin, nonce) => {
      attached = frame === null ? null : { frame, origin, nonce };
    },
    send: (message) => attached?.frame.postMessage({ ...message, nonce: attached.nonce }, attached.origin),
    receive: (event) => {
      if (!attached || event.source !== attached.frame || event.origin !== attached.origin) return undefined;
      return parsePageMessage(event.data, attached.nonce);
    },
  };
}
