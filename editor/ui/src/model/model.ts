/** Everything the interface knows. Plain data: parts read it through selectors, subjects change it. */
import type { Anchor } from '@kit/anchor.ts';
import type { PinState } from '@kit/review.ts';
import type { EditRequest, History, FileDiff } from '../api/edit.ts';
import type { CanvasState, Plan, Scheme } from '../api/canvas.ts';
import type { ChatSessions } from '../api/chat.ts';
import type { Branches, GitStatus, PublishPlan } from '../api/git.ts';
import type { Classes, Inspection, Outline, SourceFile, Usage } from '../api/inspection.ts';
import type { LaneCost, LaneEvent, Models, Proposal } from '../api/models.ts';
import type { PageNode, Pane, Target } from '../api/page.ts';
import type { Assets, Comment, FileText, Note, Participant, Project, Settings } from '../api/project.ts';
import { IDLE, type Choice, type Refusal, type Remote } from '../api/result.ts';
import type { Session } from '../api/session.ts';
import { readPreferences, type Preferences } from './preferences.ts';
import type { Thread } from './thread.ts';

export type Mode = 'select' | 'use' | 'comment';
export type LeftTab = 'page' | 'files';
export type RightTab = 'inspect' | 'comments' | 'changes' | 'history' | 'chat';

/** What the inspector speaks about: an element as its component's source writes it, or one use of that component. */
export interface Subject {
  src: string;
  /** Which of the page's elements with this stamp, from 0. */
  item: number | null;
  within: string | null;
}

export interface Selection {
  /** Grows with each new selection, so that late answers are told from current ones. */
  number: number;
  /** Null while the element is in the source but not on the page. */
  target: Target | null;
  subject: Subject;
  /** The use of the component that is inspected instead of the element. */
  use: string | null;
  /** Where the element's component is used, as far as is known yet. */
  usages: Usage[];
  /** The use is wanted as soon as it is known which one it is. */
  wantsUse: boolean;
  under: { id: number; src: string | null; tag: string }[];
  /** Stamps it had before its edits: the page tells of it by them until hot reload has brought the last one. */
  before?: readonly string[];
}

/** An element that is selected beside the one that is inspected. */
export interface Also {
  src: string;
  index: number;
  tag: string;
}

/** The look of an element: its declarations, or what Tailwind's classes set. */
export interface CopiedStyles {
  from: string;
  declarations: { property: string; value: string }[];
  classes: string[];
}

/** A place for a new comment. */
export interface Placing {
  selector: string;
  /** What finds the element in later builds. */
  anchor: Anchor;
  page: string;
  label: string;
}

export type Dialog =
  | { is: 'palette' }
  | { is: 'blocked'; direction: 'undo' | 'redo'; editId: string; reason: string; changed: FileDiff[] }
  | { is: 'shortcuts' }
  | { is: 'commit' }
  | { is: 'publish' }
  | { is: 'branch' }
  | { is: 'settings' }
  | { is: 'link' }
  | { is: 'insert'; src: string }
  | { is: 'swap'; src: string }
  | { is: 'plan-new' }
  | { is: 'plan-shots' }
  | { is: 'plan-rename' }
  | { is: 'plan-delete' }
  | { is: 'discard'; path: string | null };

/** Where the element of an edit stood, and where it stands; null while it is not in the source. */
export interface Step {
  before: { src: string; item: number | null };
  after: { src: string; item: number | null } | null;
}

/** An edit that waits for a choice. */
export interface Choosing {
  title: string;
  /** What is done, as `style`; answers are kept for the session by it. */
  kind: string;
  /** Of a style the property. */
  property: string | null;
  refusal: Refusal;
  /** Goes on with the choice; `null` calls the edit off. */
  choose(choice: Choice | null): void;
}

/** An answer that holds for the session: only answers that mean the same for every element can. */
export type Kept = 'all' | 'item';

/** A text that was typed and is not saved. */
export interface Draft {
  text: string;
  /** What was read before it was typed: saving on top of anything newer is refused by its hash. */
  base: { text: string; hash: string | null };
}

/** A refused edit that a model may try. */
export interface Attempt {
  /** The ticket that events name it by. */
  id: string;
  title: string;
  request: EditRequest;
  /** Why the edit was refused. */
  reason: string;
  state:
    | { is: 'offered' }
    | { is: 'running'; step: LaneEvent['step']; usd: number; stop: () => void }
    /** No page could confirm the change: it waits for a yes. */
    | { is: 'asks'; reason: string; proposal: Proposal; cost: LaneCost | null }
    | { is: 'done'; editId: string | null; files: FileDiff[]; why: string; cost: LaneCost | null }
    | { is: 'refused'; reason: string; cost: LaneCost | null }
    | { is: 'stopped' };
}

/** What the canvas shows: each page in each scheme, at each width. */
export interface Board {
  pages: readonly string[];
  /** CSS pixels. */
  widths: readonly number[];
  schemes: readonly Scheme[];
  /** 1 is the real size; null makes all widths visible. */
  zoom: number | null;
  /** How large a pixel of a page is shown now. */
  scale: number;
  /** Grows when the pictures are to be taken again. */
  taken: number;
  /** Grows with each edit, so that many of them are one reason to take pictures. */
  edits: number;
  /** The plan that is shown is run again after edits. */
  follows: boolean;
}

/** What is being written in a chat. */
export interface Prompt {
  text: string;
  /** The turn it was sent as without an answer: sent again, it is the same turn. */
  turn: string | null;
}

export interface Toast {
  id: number;
  tone: 'plain' | 'good' | 'warn' | 'bad';
  title: string;
  words: string;
  /** An action's id, offered as a button. */
  action: string | null;
}

export interface Menu {
  x: number;
  y: number;
}

/** What one pane shows. */
export interface Shown {
  /** The prototype's page, as its bridge tells of it. */
  page: { ready: boolean; address: string; title: string; errors: string[] };
  structure: PageNode[] | null;
  /** The page as it is shown now: its width in its own pixels, and how large one of them is. */
  shown: { width: number; scale: number };
}

export interface Model extends Preferences, Shown {
  session: Session | null;
  sessionRefused: Refusal | null;
  connection: { is: 'connecting' | 'live' | 'lost'; seconds: number };
  log: string[];
  /** The pane that is worked in: page, structure and selection are of it. */
  pane: Pane;
  /** What the other pane shows. */
  beside: Shown;
  outlines: Record<string, Remote<Outline>>;
  files: Remote<SourceFile[]>;
  classes: Remote<Classes>;
  selection: Selection | null;
  /** The breakpoint of Tailwind from which styles are set; null is for all widths. */
  variant: string | null;
  /** What the page said of conditions of the selected element's styles, for the width it said it at. */
  conditions: { selection: number; width: number; holds: Record<string, boolean> } | null;
  inspection: Remote<Inspection>;
  /** Further elements that the next edit is for. */
  alsoSelected: Also[];
  /** Edits that are taken back together, by their ids in the order they were done. */
  groups: string[][];
  /** What was copied from an element, to be pasted on others. */
  copiedStyles: CopiedStyles | null;
  /** The pages show what they looked like before. */
  showsBefore: 'edit' | 'start' | null;
  /** How many edits are under way. */
  busy: number;
  choosing: Choosing | null;
  /** What `editor:mark` outlines in the page, when it has answered. */
  marked: number | null;
  /** How far edits reach, by their kind, where somebody said that it holds for the session. */
  kept: Record<string, Kept>;
  history: Remote<History>;
  /** What this interface's own edits were done to, by their ids: undoing one selects it. */
  steps: Record<string, Step>;
  git: Remote<GitStatus>;
  branches: Remote<Branches>;
  diff: Remote<FileDiff[]>;
  publishing: Remote<PublishPlan>;
  project: Remote<Project>;
  comments: Remote<Comment[]>;
  /** Whom comments can mention. */
  participants: Remote<Participant[]>;
  openComment: string | null;
  /** What the page says of the comments' pins, by their ids. */
  pinStates: Record<string, PinState>;
  placing: Placing | null;
  models: Remote<Models>;
  /** Refused edits that a model may try, or tried. */
  attempts: Attempt[];
  chats: Remote<ChatSessions>;
  /** The chat that is shown. */
  chat: string | null;
  /** The chats that were shown, by their ids. */
  threads: Record<string, Remote<Thread>>;
  /** By the chat it is written in; of the first one by an empty name. */
  prompts: Record<string, Prompt>;
  /** A turn is on its way to the program. */
  sending: boolean;
  /** The number of the selection that the next turn is not about. */
  withoutSelection: number | null;
  /** Turns whose failure has been told. */
  failuresTold: string[];
  /** The canvas lies over the preview. */
  canvas: boolean;
  board: Board;
  plans: Remote<CanvasState>;
  /** The plan that the canvas shows; without one it shows the pages as they are. */
  plan: { name: string; value: Remote<Plan> } | null;
  notes: Remote<string[]>;
  note: { name: string; text: Remote<Note> } | null;
  drafts: Record<string, Draft>;
  file: { path: string; line: number | null; text: Remote<FileText> } | null;
  assets: Remote<Assets>;
  settings: Remote<Settings>;
  mode: Mode;
  leftTab: LeftTab;
  rightTab: RightTab;
  /** Notes stand beside the comments. */
  commentsTab: 'comments' | 'notes';
  /** The sides without room of their own: `drawer` is the one that covers the preview. */
  narrow: { left: boolean; right: boolean };
  drawer: 'left' | 'right' | null;
  expanded: Record<string, boolean>;
  /** Sections of the inspector that somebody opened or folded. */
  sections: Record<string, boolean>;
  dialog: Dialog | null;
  menu: Menu | null;
  toasts: Toast[];
  /** What assistive technology is told. */
  spoken: string;
}

/** Brings a tab of the right side to view, wherever that side is. */
export function showRight({ store }: { store: { setState(change: (model: Model) => Partial<Model>): void } }, rightTab: RightTab): void {
  store.setState(({ narrow, drawer }) => ({ rightTab, right: true, drawer: narrow.right ? 'right' : drawer }));
}

export function nothingShown(): Shown {
  return { page: { ready: false, address: '', title: '', errors: [] }, structure: null, shown: { width: 0, scale: 1 } };
}

export function emptyModel(storage: Pick<Storage, 'getItem'> | null): Model {
  return {
    ...readPreferences(storage),
    session: null,
    sessionRefused: null,
    connection: { is: 'connecting', seconds: 0 },
    log: [],
    ...nothingShown(),
    pane: 'main',
    beside: nothingShown(),
    outlines: {},
    files: IDLE,
    classes: IDLE,
    selection: null,
    variant: null,
    conditions: null,
    inspection: IDLE,
    alsoSelected: [],
    groups: [],
    copiedStyles: null,
    showsBefore: null,
    busy: 0,
    choosing: null,
    marked: null,
    kept: {},
    history: IDLE,
    steps: {},
    git: IDLE,
    branches: IDLE,
    diff: IDLE,
    publishing: IDLE,
    project: IDLE,
    comments: IDLE,
    participants: IDLE,
    openComment: null,
    pinStates: {},
    placing: null,
    models: IDLE,
    attempts: [],
    chats: IDLE,
    chat: null,
    threads: {},
    prompts: {},
    sending: false,
    withoutSelection: null,
    failuresTold: [],
    canvas: false,
    board: { pages: [], widths: [390, 768, 1280], schemes: ['light'], zoom: null, scale: 1, taken: 0, edits: 0, follows: false },
    plans: IDLE,
    plan: null,
    notes: IDLE,
    note: null,
    drafts: {},
    file: null,
    assets: IDLE,
    settings: IDLE,
    mode: 'select',
    leftTab: 'page',
    rightTab: 'inspect',
    commentsTab: 'comments',
    narrow: { left: false, right: false },
    drawer: null,
    expanded: {},
    sections: {},
    dialog: null,
    menu: null,
    toasts: [],
    spoken: '',
  };
}
