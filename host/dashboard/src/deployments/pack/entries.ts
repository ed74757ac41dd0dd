/** Reads what a person dropped or chose: a folder's files, or one archive. */
import { isSkipped, isSkippedFolder, withoutTop, type PackEntry } from './plan.ts';

/** What came: a folder, an archive, or something else. */
export type Chosen = { is: 'folder'; name: string; entries: PackEntry[] } | { is: 'archive'; file: File } | { is: 'refused'; reason: string };

/** Files that are read of a dropped folder. The server's own bound is lower; this one ends a walk through a whole disk. */
export const MAX_FILES = 50_000;

const ARCHIVE = /\.(tar\.gz|tgz)$/i;

export function isArchive(name: string): boolean {
  return ARCHIVE.test(name);
}

/** What an `<input>` holds: a folder's files have their path in `webkitRelativePath`. */
export function fromFiles(files: Iterable<File>): Chosen {
  const list = [...files];
  const [first] = list;
  if (first === undefined) return { is: 'refused', reason: 'Nothing was chosen, or the folder is empty.' };
  if (list.length === 1 && isArchive(first.name) && first.webkitRelativePath === '') return { is: 'archive', file: first };
  const name = first.webkitRelativePath.split('/')[0] ?? '';
  return folder(name, list.map((file) => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file })));
}

/** What was dropped. Must be called in the drop event itself: the browser empties the list right after it. */
export async function fromDrop(data: DataTransfer, signal?: AbortSignal): Promise<Chosen> {
  const handles = [...data.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
  const files = [...data.files];
  const roots = handles.filter((entry) => entry !== null);
  if (roots.length === 0) return fromFiles(files);
  const [first] = roots;
  if (roots.length === 1 && first?.isFile) {
    const [file] = files;
    if (file && isArchive(file.name)) return { is: 'archive', file };
  }
  const entries: PackEntry[] = [];
  for (const root of roots) {
    const reason = await walk(root, entries, signal);
    if (reason !== null) return { is: 'refused', reason };
  }
  return folder(first?.name ?? '', entries);
}

function folder(name: string, entries: PackEntry[]): Chosen {
  const kept = withoutTop(entries.filter(({ path }) => !isSkipped(path)));
  const [only] = kept;
  if (only === undefined) return { is: 'refused', reason: 'The folder has no files.' };
  if (kept.length === 1 && !only.path.includes('/') && !only.path.endsWith('.html'))
    return { is: 'refused', reason: `${only.path} is not a folder or a .tar.gz archive. Drop the folder that your build writes, such as dist.` };
  return { is: 'folder', name, entries: kept };
}

/** Adds an entry and what is below it; answers why it stopped, or `null`. */
async function walk(root: FileSystemEntry, into: PackEntry[], signal?: AbortSignal): Promise<string | null> {
  const waiting = [root];
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    signal?.throwIfAborted();
    const path = entry.fullPath.replace(/^\//, '');
    if (isFile(entry)) {
      const handle = entry;
      try {
        into.push({ path, file: await new Promise<File>((done, fail) => handle.file(done, fail)) });
      } catch {
        return `${path} cannot be read. Was it moved or deleted meanwhile?`;
      }
      if (into.length > MAX_FILES) return `The folder has more than ${MAX_FILES.toLocaleString('en')} files. Drop the folder that your build writes, not the whole project.`;
    } else if (isFolder(entry) && !isSkippedFolder(entry.name)) {
      const reader = entry.createReader();
      // A reader gives at most 100 entries a call, and an empty list at the end.
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail)).catch(() => null);
        if (some === null) return `${path} cannot be read.`;
        if (some.length === 0) break;
        waiting.push(...some);
      }
    }
  }
  return null;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
