import { ImagePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { addPicture, folderFor, loadAssets, setPicture } from '../../model/assets.ts';
import type { Attribute } from '../../api/inspection.ts';
import type { Assets } from '../../api/project.ts';
import { known } from '../../api/result.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

const NONE: Assets = { assets: [], folders: ['public'] };
const ACCEPTED = '.png,.jpg,.jpeg,.gif,.webp,.avif,.svg';

/** A picture of the project, or one that is added: picked, or dropped here. It goes to `public/`, or beside the source. */
export function PictureField({ attribute }: { attribute: Attribute }) {
  const { name, value } = attribute;
  const editor = useEditor();
  const picker = useRef<HTMLInputElement>(null);
  const state = useModel((model) => model.assets.is);
  const { assets, folders } = useModel((model) => known(model.assets) ?? NONE);
  const [over, setOver] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const folder = chosen ?? folderFor(attribute, folders);
  useEffect(() => {
    if (state === 'idle') void loadAssets(editor);
  }, [editor, state]);
  const add = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) void addPicture(editor, file, name, folder);
  };
  return (
    <div
      className={`picture${over ? ' over' : ''}`}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => (event.preventDefault(), setOver(false), add(event.dataTransfer.files))}
    >
      {assets.length > 0 && (
        <select
          className="select"
          aria-label={messages.projectPictures}
          value={assets.find(({ address }) => address !== null && address === value)?.path ?? ''}
          onChange={(event) => void setPicture(editor, event.target.value, name)}
        >
          <option value="" disabled>
            {messages.projectPictures}
          </option>
          {assets.map(({ path, address }) => (
            <option key={path} value={path}>
              {address ?? path}
            </option>
          ))}
        </select>
      )}
      {folders.length > 1 && (
        <select className="select" aria-label={messages.pictureGoes} value={folder} onChange={(event) => setChosen(event.target.value)}>
          {folders.map((each) => (
            <option key={each} value={each}>
              {messages.pictureFolder(each)}
            </option>
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
