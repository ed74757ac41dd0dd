import { WriteField } from '@kit/WriteField.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { ImagePlus, X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type DragEvent } from 'react';
import type { Position } from '../../api/comments.ts';
import { projectQuery } from '../../api/projects.ts';
import { say } from '../../shell/toasts.tsx';
import { reviewWords } from '../../words.ts';
import { useReviewing } from '../context.tsx';
import { MAX_NAME, rememberGuest } from '../model/guest.ts';
import { readableMod } from '../model/keys.ts';
import { IMAGE_TYPES, keepImages, MAX_IMAGE_BYTES, MAX_IMAGES } from '../model/kept_images.ts';
import { post } from '../sending.ts';
import { localStorageOrNothing, useReview } from '../store.ts';
import { useDrafts } from '../use/useDrafts.ts';

/** What is written: a comment at a position, or the answer to one. */
export interface Target {
  replyTo: string | null;
  position: Position | null;
  deploymentId: string | null;
}

interface Given {
  /** Names the draft. */
  place: string;
  label: string;
  button: string;
  target: Target;
  images?: boolean;
  autoFocus?: boolean;
  onSent: (id: string) => void;
  onCancel?: () => void;
}

/** How long sending waits for the news that another version is live, in milliseconds. */
const VERSION_TIMEOUT = 1_500;

/** Writing a comment or a reply. A guest says a name first; what is typed is kept until it is sent. */
export function Composer({ place, label, button, target, images = false, autoFocus = false, onSent, onCancel }: Given) {
  const around = useReviewing();
  const { project, user, people } = around;
  const client = useQueryClient();
  const drafts = useDrafts();
  const guest = useReview((state) => state.guest);
  const [name, setName] = useState(guest?.displayName ?? '');
  const [naming, setNaming] = useState(user === null && guest === null);
  const [problem, setProblem] = useState<string | null>(null);
  const [replaced, setReplaced] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const nameHelp = useId();
  const [files, setFiles] = useState<File[]>([]);

  const add = (more: readonly File[]): void => {
    const problems = more.flatMap((file) => {
      if (!IMAGE_TYPES.includes(file.type)) return [reviewWords.imageType(file.name)];
      return file.size > MAX_IMAGE_BYTES ? [reviewWords.imageSize(file.name)] : [];
    });
    const good = more.filter((file) => IMAGE_TYPES.includes(file.type) && file.size <= MAX_IMAGE_BYTES);
    const all = [...files, ...good];
    if (all.length > MAX_IMAGES) problems.push(reviewWords.imageCount);
    setFiles(all.slice(0, MAX_IMAGES));
    setProblem(problems[0] ?? null);
  };

  const remove = (file: File): void => {
    setFiles(files.filter((each) => each !== file));
    setProblem(null);
  };

  const send = async (body: string, mentions: string[]): Promise<boolean> => {
    let author = around.author;
    if (user === null && (naming || !author)) {
      author = rememberGuest(localStorageOrNothing(), name, randomId);
      if (!author) {
        setProblem(reviewWords.nameFirst);
        nameField.current?.focus();
        return false;
      }
      useReview.setState({ guest: author });
      setNaming(false);
    }
    if (!author) return false;
    // Said before it is sent: what the author saw may not be what is live. A second press sends it.
    if (!replaced && target.position && useReview.getState().at === null && (await isReplaced(target.deploymentId))) {
      setReplaced(true);
      return false;
    }
    const key = randomId();
    if (files.length > 0 && !(await keepImages(key, files))) {
      say(reviewWords.imageNotKept, 'bad');
      return false;
    }
    const desk = { project: project.id, author, client };
    post(desk, { key, ...target, body, mentions, images: files.length, createdAt: new Date().toISOString(), refused: null });
    drafts.write(place, '');
    setFiles([]);
    setReplaced(false);
    onSent(`pending:${key}`);
    return true;
  };

  const isReplaced = async (seen: string | null): Promise<boolean> => {
    const asked = client.fetchQuery({ ...projectQuery(project.slug), staleTime: 0, retry: false }).catch(() => project);
    const late = new Promise<typeof project>((resolve) => setTimeout(() => resolve(project), VERSION_TIMEOUT));
    const { activeDeploymentId } = await Promise.race([asked, late]);
    return seen !== null && activeDeploymentId !== null && activeDeploymentId !== seen;
  };

  const drop = (event: DragEvent): void => {
    if (!images || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    add([...event.dataTransfer.files]);
  };

  return (
    <div className="composer" onDragOver={(event) => (images ? event.preventDefault() : undefined)} onDrop={drop}>
      {user === null && naming && (
        <label className="guest-name">
          <span>{reviewWords.yourName}</span>
          <input ref={nameField} className="input" value={name} maxLength={MAX_NAME} autoComplete="name" autoFocus={autoFocus} aria-describedby={nameHelp} onChange={(event) => setName(event.target.value)} />
          <span className="help" id={nameHelp}>
            {reviewWords.yourNameHelp}
          </span>
        </label>
      )}
      <WriteField
        label={label}
        button={replaced ? reviewWords.sendAnyway : button}
        people={people}
        sendKeys={readableMod('Enter')}
        draft={drafts.read(place)}
        onDraft={(body) => drafts.write(place, body)}
        {...(images ? { onFiles: add } : {})}
        onSend={send}
        onCancel={onCancel}
        autoFocus={autoFocus && !(user === null && naming)}
      >
        {images && <Chosen files={files} onAdd={add} onRemove={remove} />}
        {problem !== null && (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        {replaced && (
          <p className="notice warn" role="alert">
            {reviewWords.replaced}
          </p>
        )}
        {user === null && !naming && guest !== null && (
          <button type="button" className="link" onClick={() => setNaming(true)}>
            {reviewWords.changeName(guest.displayName)}
          </button>
        )}
      </WriteField>
    </div>
  );
}

/** The images that go with a comment, and the way to add one. */
function Chosen({ files, onAdd, onRemove }: { files: readonly File[]; onAdd: (files: readonly File[]) => void; onRemove: (file: File) => void }) {
  return (
    <div className="thumbs">
      {files.map((file, index) => (
        <span key={`${file.name}${file.size}${index}`} className="thumb">
          <Local file={file} alt={reviewWords.image(index + 1)} />
          <button type="button" className="thumb-remove" aria-label={reviewWords.removeImage(index + 1)} onClick={() => onRemove(file)}>
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      {files.length < MAX_IMAGES && <ImageButton onAdd={onAdd} />}
    </div>
  );
}

export function ImageButton({ onAdd }: { onAdd: (files: readonly File[]) => void }) {
  return (
    <label className="icon-button image-button" title={reviewWords.addImage}>
      <ImagePlus size={16} aria-hidden />
      <input
        type="file"
        className="hidden"
        accept={IMAGE_TYPES.join(',')}
        multiple
        aria-label={reviewWords.addImage}
        onChange={(event) => {
          onAdd([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </label>
  );
}

function Local({ file, alt }: { file: Blob; alt: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return <img src={address} alt={alt} />;
}

/** 128 random bits. `crypto.randomUUID` is there over https only. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
