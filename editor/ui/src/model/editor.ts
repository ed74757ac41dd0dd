/** The Editor without a framework: its state, and the ways to the program and to the page. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createClient, type Call } from '../api/client.ts';
import { createPageChannel, type PageChannel, type Pane } from '../api/page.ts';
import { BegunEdit } from './begun.ts';
import { EditQueue } from './edit_queue.ts';
import { emptyModel, type Model } from './model.ts';

export interface Editor {
  readonly store: StoreApi<Model>;
  readonly call: Call;
  readonly page: PageChannel;
  /** The edits that are under way. */
  readonly queue: EditQueue;
  /** The edit that the page may bring to its end. */
  readonly begun: BegunEdit;
  /** The panes that read for the program, by the name of the reader. */
  readonly readers: Map<string, Pane>;
  readonly counters: Counters;
  /** The surroundings, so that tests can have their own. */
  readonly world: World;
}

/** Numbers that only grow; nothing of them is shown. */
export interface Counters {
  /** Selections and toasts are told apart by them. */
  selections: number;
  toasts: number;
  /** How often the page told of a change; an edit it answers to is one it shows. */
  pageChanges: number;
}

export interface World {
  send: typeof fetch;
  storage: Pick<Storage, 'getItem' | 'setItem'> | null;
  /** Opens an address outside, as `vscode://file/…`. */
  open(address: string): void;
  copy(text: string): Promise<void>;
  /** Moves the focus into the page of a pane, or out of it when it is there. */
  focusPage(pane: Pane): void;
  wait(milliseconds: number): Promise<void>;
  /** Whether somebody used the mouse or the keyboard a moment ago, in the page too: no script can feign that. */
  isTouched?(): boolean;
}

export function createEditor(world: World, page: PageChannel = createPageChannel()): Editor {
  return {
    store: createStore<Model>(() => emptyModel(world.storage)),
    call: createClient(world.send),
    page,
    queue: new EditQueue(),
    begun: new BegunEdit(),
    readers: new Map(),
    counters: { selections: 0, toasts: 0, pageChanges: 0 },
    world,
  };
}
