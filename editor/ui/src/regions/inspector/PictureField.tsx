import { ImagePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { addPicture, loadAssets } from '../../model/assets.ts';
import { edit } from '../../model/edits.ts';
import type { Asset } from '../../api/project.ts';
import { known } from '../../api/result.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

const NONE: Asset[] = [];
const ACCEPTED = '.png,.jpg,.jpeg,.gif,.webp,.avif,.svg';

/** A picture of the project, or one that is added: picked, or dropped here. It goes to `public/`. */
export function PictureField({ name, value }: { name: string; value: string }) {
  const editor = useEditor();
  const picker = useRef<HTMLInputElement>(null);
  const state = useModel((model) => model.assets.is);
  const assets = useModel((model) => known(model.assets) ?? NONE);
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (state === 'idle') void loadAssets(editor);
  }, [editor, state]);
  const add = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) void addPicture(editor, file, name);
  };
  const choose = (address: string): void => void edit(editor, { kind: 'attribute', name, value: address }, { title: `Set ${name}` });
  return (
    <div
      className={`picture${over ? ' over' : ''}`}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => (event.preventDefault(), setOver(false), add(event.dataTransfer.files))}
    >
      {assets.length > 0 && (
        <select className="select" aria-label={messages.projectPictures} value={assets.some(({ address }) => address === value) ? value : ''} onChange={(event) => choose(event.target.value)}>
          <option value="" disabled>
            {messages.projectPictures}
          </option>
          {assets.map(({ address }) => (
            <option key={address}>{address}</option>
          ))}
        </select>
      )}
      <button type="button" className="button" onClick={() => picker.current?.click()}>
        <ImagePlus size={14} aria-hidden />
        <span>{messages.addPicture}</span>
      </button>
      <input ref={picker} type="file" hidden accept={ACCEPTED} aria-label={messages.addPicture} onChange={(event) => (add(event.target.files), (event.target.value = ''))} />
    </div>
  );
}
