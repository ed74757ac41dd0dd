import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { edit } from '../../model/edits.ts';
import { mayAsk } from '../../model/models.ts';
import { longPlace } from '../../model/place.ts';
import { Section } from '../../components/Section.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { anchorsOf } from '../../model/assets.ts';
import { PictureField } from './PictureField.tsx';
import type { Attribute, Inspection } from '../../api/inspection.ts';
import { messages } from '../../messages.ts';
import { useAimedDraft } from './useAimedDraft.ts';
import { useWhere, WHERE } from './where.tsx';

/** Elements, and components of frameworks, that show a picture. */
const PICTURES = /^(?:img|source|Image|NuxtImg|NuxtPicture)$/;

/** Shown in sections of their own. */
const ELSEWHERE = new Set(['class', 'className', 'style', ':class', ':style']);

export function Attributes({ facts }: { facts: Inspection }) {
  const listed = facts.attributes.filter(({ name }) => facts.isComponent || !ELSEWHERE.has(name));
  return (
    <Section title={facts.isComponent ? messages.props : messages.attributes} open={listed.length > 0}>
      {listed.map((attribute, index) => (
        <Field key={`${attribute.name}${index}`} attribute={attribute} src={facts.src} picture={PICTURES.test(facts.tag) && attribute.name === 'src'} />
      ))}
      {facts.can.attribute === true ? <Add src={facts.src} /> : <p className="help">{facts.can.attribute}</p>}
    </Section>
  );
}

function Field({ attribute, src, picture }: { attribute: Attribute; src: string; picture: boolean }) {
  const editor = useEditor();
  const id = useId();
  const { name, form, editable, why } = attribute;
  const { draft, setDraft, refused, save, reset } = useAimedDraft(attribute.value ?? '');
  const told = useWhere(editable ? `Changes ${name} at ${longPlace(src)}` : (why ?? `${name} cannot be changed here`));
  const write = (again?: boolean): void => {
    if (typable) void save((aim) => edit(editor, { kind: 'attribute', name, value: draft }, { title: `Set ${name}`, aim }), again);
  };
  const flag = form === 'flag';
  const typable = useModel(mayAsk) ? form !== 'spread' : editable;
  const link = name === 'href' && editable;
  const structure = useModel((model) => (link ? model.structure : null));
  return (
    <>
    <div className="attribute" {...told}>
      <label className="name" htmlFor={id}>
        {name}
      </label>
      <input
        id={id}
        aria-describedby={WHERE}
        list={link ? `${id}-anchors` : undefined}
        className={`input${form === 'literal' ? '' : ' mono'}`}
        readOnly={!typable || flag}
        value={flag ? 'on' : draft}
        onChange={(event) => setDraft(event.target.value)}
        aria-invalid={refused}
        onBlur={() => write()}
        onKeyDown={(event) => (event.key === 'Enter' ? write(true) : event.key === 'Escape' ? reset() : undefined)}
      />
      {editable ? (
        <button
          type="button"
          className="icon-button small"
          aria-label={messages.removeNamed(name)}
          onClick={() => void edit(editor, { kind: 'attribute', name, value: null }, { title: `Remove ${name}` })}
        >
          <X size={13} aria-hidden />
        </button>
      ) : (
        <span />
      )}
    </div>
    {link && (
      <datalist id={`${id}-anchors`}>
        {[...new Set(['/', ...anchorsOf(structure ?? [])])].map((anchor) => (
          <option key={anchor} value={anchor} />
        ))}
      </datalist>
    )}
    {picture && form !== 'spread' && <PictureField key={attribute.value} attribute={attribute} />}
    </>
  );
}

function Add({ src }: { src: string }) {
  const editor = useEditor();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const told = useWhere(`Adds an attribute at ${longPlace(src)}`);
  const add = async (): Promise<void> => {
    if (name.trim() === '') return;
    if (await edit(editor, { kind: 'attribute', name: name.trim(), value }, { title: `Set ${name.trim()}` })) {
      setName('');
      setValue('');
    }
  };
  return (
    <form className="attribute" {...told} onSubmit={(event) => (event.preventDefault(), void add())}>
      <input className="input mono" aria-label={`${messages.addAttribute}: ${messages.attributeName}`} placeholder={messages.attributeName} value={name} onChange={(event) => setName(event.target.value)} />
      <input className="input" aria-label={`${messages.addAttribute}: ${messages.attributeValue}`} placeholder={messages.attributeValue} value={value} onChange={(event) => setValue(event.target.value)} />
      <button type="submit" className="icon-button small" aria-label={messages.addAttribute}>
        <Plus size={14} aria-hidden />
      </button>
    </form>
  );
}
