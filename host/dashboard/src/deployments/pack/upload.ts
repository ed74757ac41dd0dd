/** Sends a packed deployment. XMLHttpRequest, because fetch tells no upload progress. */
import * as v from 'valibot';
import { DeploymentSchema } from '../../api/deployments.ts';
import { refusal } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { keyHeader } from '../../api/key.ts';
import { uploadWords as words } from '../../words/deployments.ts';
import type { Progress } from './archive.ts';

const UploadedSchema = v.object({ ...DeploymentSchema.entries, url: v.nullish(v.string()), log: v.optional(v.string(), '') });
export type Uploaded = v.InferOutput<typeof UploadedSchema>;

/** Uploads a gzipped tar, which becomes the live version. Rejects with an [`ApiError`] in the server's words, or an `AbortError`. */
export function upload(projectId: string, body: Blob, onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Uploaded> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(new DOMException('Cancelled', 'AbortError'));
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/projects/${encodeURIComponent(projectId)}/deployments`);
    request.setRequestHeader('content-type', 'application/gzip');
    request.setRequestHeader('accept', 'application/json');
    for (const [name, value] of Object.entries(keyHeader())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress({ done: loaded, total });
    request.onload = () => {
      if (request.status >= 400) return fail(refusal(request.status, request.responseText, request.getResponseHeader('retry-after')));
      const uploaded = v.safeParse(UploadedSchema, parse(request.responseText));
      if (uploaded.success) done(uploaded.output);
      else fail(new ApiError('broken', words.notUnderstood, { status: request.status }));
    };
    request.onerror = () => fail(new ApiError('offline', words.broke));
    request.onabort = () => fail(new DOMException('Cancelled', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
