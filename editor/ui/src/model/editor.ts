/** The Editor without a framework: its state, and the ways to the program and to the page. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createClient, type Call } from '../wire/client.ts';
import { createPageChannel, type PageChannel } from '../wire/page.ts';
import { emptyModel, type Model } from './model.ts';

export interface Editor {
  readonly store: StoreApi<Model>;
  readonly call: Call;
  readonly page: PageChannel;
  /** The surroundings, so that tests can have their own. */
  readonly world: World;
}

export interface World {
  send: typeof fetch;
  storage: Pick<Storage, 'getItem' | 'setItem'> | null;
  /** Opens an address outside, as `vscode://file/…`. */
  open(address: string): void;
  copy(text: string): Promise<void>;
  wait(milliseconds: number): Promise<void>;
}

export function createEditor(world: World, page: PageChannel = createPageChannel()): Editor {
  return { store: createStore<Model>(() => emptyModel(world.storage)), call: createClient(world.send), page, world };
}
