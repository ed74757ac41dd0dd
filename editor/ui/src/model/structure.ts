/** The tree of the page, as rows: elements, grouped by the components that made them. */
import type { OutlineNode } from '../api/inspection.ts';
import type { PageNode } from '../api/page.ts';
import { componentName, fileOf, parsePlace } from './place.ts';

export interface Row {
  /** Names the row for as long as the page shows the element. */
  key: string;
  /** `component` rows stand for the use of a component, above the elements it renders. */
  kind: 'element' | 'component' | 'file';
  name: string;
  /** `#id.class`, as a browser's tools show it. */
  mark: string;
  text: string;
  src: string;
  /** The page's number of the element. */
  id: number | null;
  /** Which of the elements with this stamp. */
  index: number;
  level: number;
  /** Its place among its siblings, from 1, and how many they are: for `aria-posinset`. */
  position: number;
  siblings: number;
  children: boolean;
  expanded: boolean;
  parent: string | null;
}

interface Branch {
  row: Omit<Row, 'level' | 'position' | 'siblings' | 'children' | 'expanded' | 'parent'>;
  children: Branch[];
}

/** Elements side by side that one use of a component renders. */
interface Instance {
  file: string;
  stamps: Set<string>;
  children: Branch[];
}

/** How deep the tree is open when nobody has touched it. */
const OPEN_LEVELS = 8;

/** Rows of the page's structure in their order; what is folded is left out. */
export function pageRows(nodes: PageNode[], expanded: Record<string, boolean>): Row[] {
  const seen = new Map<string, number>();
  const element = (node: PageNode, files: readonly string[]): Branch => {
    const index = seen.get(node.src) ?? 0;
    seen.set(node.src, index + 1);
    const row = { key: `e${node.id}`, kind: 'element' as const, name: node.tag, mark: node.mark, text: node.text, src: node.src, id: node.id, index };
    return { row, children: below(node.children, files) };
  };
  const below = (siblings: PageNode[], files: readonly string[]): Branch[] => {
    const branches: Branch[] = [];
    let group = null as Instance | null;
    for (const node of siblings) {
      const file = fileOf(node.src);
      // An element of a file further up has been handed down as children: its own file's component does not begin here.
      const begins = !files.includes(file);
      const branch = element(node, begins ? [...files, file] : files);
      if (!begins) {
        group = null;
        branches.push(branch);
      } else if (group?.file === file && !group.stamps.has(node.src)) {
        // A component may render several elements side by side; the same stamp again is the component again.
        group.stamps.add(node.src);
        group.children.push(branch);
      } else {
        group = { file, stamps: new Set([node.src]), children: [branch] };
        branches.push({ row: { ...branch.row, key: `c${node.id}`, kind: 'component', name: componentName(file), mark: '', text: '' }, children: group.children });
      }
    }
    return branches;
  };
  return flatten(below(nodes, []), expanded);
}

/** Rows of source files with the elements written in them. `outlines` holds those that are known. */
export function fileRows(
  files: { path: string; elements: number }[],
  outlines: Record<string, OutlineNode[] | undefined>,
  expanded: Record<string, boolean>,
): Row[] {
  const branch = (node: OutlineNode): Branch => ({
    row: {
      key: `s${node.src}`,
      kind: node.component === true || (typeof node.component === 'string' && /^[A-Z]/.test(node.tag)) ? 'component' : 'element',
      name: node.tag,
      mark: '',
      text: node.text,
      src: node.src,
      id: null,
      index: 0,
    },
    children: node.children.map(branch),
  });
  const tree = files.map(({ path, elements }): Branch => {
    const row = { key: `f${path}`, kind: 'file' as const, name: path, mark: '', text: '', src: path, id: null, index: 0 };
    // Unknown outlines are asked for when the file is opened; until then something stands for them.
    const unknown: Branch[] = elements > 0 ? [{ row: { ...row, key: `u${path}`, kind: 'element', name: '…' }, children: [] }] : [];
    return { row, children: outlines[path]?.map(branch) ?? unknown };
  });
  return flatten(tree, expanded);
}

function flatten(tree: Branch[], expanded: Record<string, boolean>): Row[] {
  const rows: Row[] = [];
  const add = (branches: Branch[], level: number, parent: string | null): void => {
    branches.forEach(({ row, children }, at) => {
      const open = expanded[row.key] ?? (row.kind !== 'file' && level < OPEN_LEVELS);
      const shown = children.length > 0 && open;
      rows.push({ ...row, level, position: at + 1, siblings: branches.length, children: children.length > 0, expanded: shown, parent });
      if (shown) add(children, level + 1, row.key);
    });
  };
  add(tree, 1, null);
  return rows;
}

/** Whether a row is looked for: each word stands in its name, its mark or its text. */
export function found({ name, mark, text }: Row, sought: string): boolean {
  const all = `${name}${mark} ${text}`.toLowerCase();
  return sought.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}

/** Of the rows of source files those that are looked for, each file above its own. */
export function foundInFiles(rows: readonly Row[], sought: string): Row[] {
  const paths = new Set(rows.filter((row) => row.kind !== 'file' && found(row, sought)).map(({ src }) => fileOf(src)));
  return rows.filter((row) => (row.kind === 'file' ? paths.has(row.src) || found(row, sought) : found(row, sought)));
}

/** The keys that have to be open so that an element shows; none when it is not in the page. */
export function keysAbove(nodes: PageNode[], id: number): string[] {
  const rows = new Map(pageRows(nodes, ALL_OPEN).map((row) => [row.key, row]));
  const keys: string[] = [];
  for (let row = rows.get(`e${id}`); row?.parent != null; row = rows.get(row.parent)) keys.push(row.parent);
  return keys;
}

/** Says "open" to every key. */
export const ALL_OPEN = new Proxy<Record<string, boolean>>({}, { get: () => true });

/** An element's surroundings, in the page or in a source file: what moving and walking need. */
export interface Around<T> {
  parent: T | null;
  siblings: T[];
  at: number;
  node: T;
}

export function aroundOf<T extends { children: T[] }>(nodes: T[], match: (node: T) => boolean, parent: T | null = null): Around<T> | null {
  for (const [at, node] of nodes.entries()) {
    if (match(node)) return { parent, siblings: nodes, at, node };
    const below = aroundOf(node.children, match, node);
    if (below) return below;
  }
  return null;
}

/** Whether one element can be moved beside another: the source is one file, and nothing goes into itself. */
export function movable(from: Row, to: Row): boolean {
  if (from.key === to.key || from.kind === 'file' || to.kind === 'file') return false;
  const [a, b] = [parsePlace(from.src), parsePlace(to.src)];
  return a !== null && b !== null && a.path === b.path && from.src !== to.src;
}
