import { useEffect, useId, useState } from 'react';
import { componentsFor, found, obstacle, origin, useOf, type Given } from '../../model/components.ts';
import type { Component, ComponentUse, Property } from '../../api/components.ts';
import { IDLE, known, loading, settled, type Remote } from '../../api/result.ts';
import { useEditor } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** The components of the project and of libraries: one is chosen and given its properties. */
export function InsertComponent({ src, onUse, onGo }: { src: string; onUse: (use: ComponentUse | null) => void; onGo: () => void }) {
  const editor = useEditor();
  const [components, setComponents] = useState<Remote<Component[]>>(IDLE);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Component | null>(null);
  useEffect(() => {
    let current = true;
    setComponents(loading);
    void componentsFor(editor, src).then((result) => void (current && setComponents(settled(result))));
    return () => void (current = false);
  }, [editor, src]);
  const choose = (component: Component): void => {
    setChosen(component);
    onUse(null);
  };
  const all = known(components);
  const listed = found(all ?? [], search);
  return (
    <>
      <label>
        {messages.findComponent}
        <input className="input" type="search" autoFocus value={search} onChange={(event) => setSearch(event.target.value)} />
      </label>
      {components.is === 'refused' && <p className="help">{components.refusal.reason}</p>}
      {all === null && components.is === 'loading' && <p className="help">{messages.findingComponents}</p>}
      {all !== null && listed.length === 0 && <p className="help">{all.length === 0 ? messages.noComponents : messages.noComponentOfName}</p>}
      {listed.length > 0 && (
        <ul className="components" aria-label={messages.ownComponents}>
          {listed.map((component) => {
            const why = obstacle(component);
            const is = chosen !== null && origin(chosen) === origin(component) && chosen.export === component.export;
            return (
              <li key={`${origin(component)} ${component.export}`}>
                <button type="button" aria-pressed={is} aria-disabled={why !== null} onClick={() => (why === null ? choose(component) : undefined)}>
                  <code>{component.name}</code>
                  <span className="from">{origin(component)}</span>
                  {why !== null && <span className="help">{why}</span>}
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {chosen !== null && <Properties key={`${origin(chosen)} ${chosen.export}`} component={chosen} onUse={onUse} onGo={onGo} />}
    </>
  );
}

function Properties({ component, onUse, onGo }: { component: Component; onUse: (use: ComponentUse | null) => void; onGo: () => void }) {
  const [given, setGiven] = useState<Given>({});
  const [text, setText] = useState('');
  const outcome = useOf(component, given, text);
  const missing = 'missing' in outcome ? outcome.missing : null;
  const use = JSON.stringify('use' in outcome ? outcome.use : null);
  useEffect(() => onUse(JSON.parse(use) as ComponentUse | null), [use, onUse]);
  const properties = component.props.filter(({ kind }) => kind !== 'code');
  return (
    <fieldset className="form" onKeyDown={(event) => (event.key === 'Enter' && event.target instanceof HTMLInputElement ? (event.preventDefault(), onGo()) : undefined)}>
      <legend className="label">{messages.propertiesOf(component.name)}</legend>
      {properties.length === 0 && <p className="help">{messages.noProperties}</p>}
      {properties.map((property) => (
        <Field key={property.name} property={property} value={given[property.name]} onChange={(value) => setGiven({ ...given, [property.name]: value })} />
      ))}
      {component.content && (
        <label className="row">
          <span className="name">{messages.componentText}</span>
          <input className="input" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
      )}
      {missing !== null && <p className="help">{messages.propertyMissing(missing)}</p>}
      {component.more && <p className="help">{messages.takesMore(component.name)}</p>}
      {component.hint !== '' && (
        <>
          <p className="label">{messages.exampleUse}</p>
          <pre className="example" aria-label={messages.exampleUse} tabIndex={0}>
            {component.hint}
          </pre>
        </>
      )}
    </fieldset>
  );
}

function Field({ property, value, onChange }: { property: Property; value: string | boolean | undefined; onChange: (value: string | boolean) => void }) {
  const id = useId();
  const { name, required, type } = property;
  const label = required ? messages.requiredNamed(name) : name;
  if (property.kind === 'boolean') {
    return (
      <label className="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />
        <code>{name}</code>
      </label>
    );
  }
  const control =
    property.kind === 'choice' ? (
      <select id={id} className="select" aria-label={label} value={typeof value === 'string' ? value : ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">{required ? messages.chooseOne : messages.notGiven}</option>
        {property.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    ) : (
      <input
        id={id}
        className="input"
        aria-label={label}
        inputMode={property.kind === 'number' ? 'decimal' : 'text'}
        required={required}
        title={type}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <div className="row">
      <label className="name" htmlFor={id}>
        <code className="text">{name}</code>
        {required && <span aria-hidden>*</span>}
      </label>
      {control}
    </div>
  );
}
