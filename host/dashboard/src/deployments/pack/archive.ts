/** Packs files into a gzipped tar, and looks into one. Runs in the worker; tests call it directly. */
import { Gunzip, Gzip } from 'fflate';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { isSkipped, type PackEntry } from './plan.ts';

/** How far packing is: bytes of the files read, of all of them. */
export interface Progress {
  done: number;
  total: number;
}

/** A packed deployment. */
export interface Packed {
  body: Blob;
  files: number;
  /** Bytes of the files, unpacked. */
  bytes: number;
}

/** Speed before size: level 6 takes three times as long for a twentieth less. */
const LEVEL = 4;
/** Packed times are fixed, so the same folder makes the same bytes. */
const TIME = new Date(0);

/** Packs a folder's entries. Aborted: rejects with the signal's reason. */
export async function pack(entries: readonly PackEntry[], onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Packed> {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const total = sorted.reduce((sum, { file }) => sum + file.size, 0);
  const { readable, controller } = createTarPacker();
  const body = gzipped(readable);
  let done = 0;
  try {
    for (const { path, file } of sorted) {
      signal?.throwIfAborted();
      const writer = controller.add({ name: path, size: file.size, type: 'file', mode: 0o644, mtime: TIME, uid: 0, gid: 0 }).getWriter();
      const reader = file.stream().getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        signal?.throwIfAborted();
        await writer.write(part.value);
        done += part.value.byteLength;
        onProgress({ done, total });
      }
      await writer.close();
    }
    controller.finalize();
  } catch (error) {
    controller.error(error);
    await body.catch(() => undefined);
    throw error;
  }
  return { body: await body, files: sorted.length, bytes: total };
}

/** The paths of an archive's files, without `./` before them. */
export async function list(archive: Blob, signal?: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  const entries = unpacked(archive, signal).getReader();
  for (let entry = await entries.read(); !entry.done; entry = await entries.read()) {
    const { header, body } = entry.value;
    if (header.type !== 'directory') paths.push(plain(header.name));
    await body.cancel();
  }
  return paths;
}

/** The archive again, with only the files of one of its folders. */
export async function repack(archive: Blob, root: string, onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Packed> {
  const entries: PackEntry[] = [];
  const reader = unpacked(archive, signal).getReader();
  for (let entry = await reader.read(); !entry.done; entry = await reader.read()) {
    const { header, body } = entry.value;
    const path = plain(header.name);
    if (header.type !== 'file' || !path.startsWith(`${root}/`) || isSkipped(path)) await body.cancel();
    else entries.push({ path: path.slice(root.length + 1), file: await new Response(body).blob() });
  }
  return pack(entries, onProgress, signal);
}

function plain(name: string): string {
  return name.replace(/^(\.?\/)+/, '');
}

function unpacked(archive: Blob, signal?: AbortSignal): ReadableStream<{ header: { name: string; type?: string }; body: ReadableStream<Uint8Array> }> {
  const reader = archive.stream().getReader();
  const queue: Uint8Array[] = [];
  const gunzip = new Gunzip((chunk) => queue.push(chunk));
  const bytes = new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (queue.length === 0) {
        signal?.throwIfAborted();
        const part = await reader.read();
        if (part.done) return controller.close();
        gunzip.push(part.value, false);
      }
      for (const chunk of queue.splice(0)) controller.enqueue(chunk);
    },
  });
  return bytes.pipeThrough(createTarDecoder({ strict: true }));
}

async function gzipped(readable: ReadableStream<Uint8Array>): Promise<Blob> {
  const parts: BlobPart[] = [];
  const gzip = new Gzip({ level: LEVEL, mtime: 0 }, (chunk) => parts.push(chunk as Uint8Array<ArrayBuffer>));
  const reader = readable.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) gzip.push(part.value, false);
  gzip.push(new Uint8Array(), true);
  return new Blob(parts, { type: 'application/gzip' });
}
