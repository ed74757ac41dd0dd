import { X } from 'lucide-react';
import { conditionOf } from '../../model/deciding.ts';
import { edit } from '../../model/edits.ts';
import { longPlace } from '../../model/place.ts';
import { openFile } from '../../model/files.ts';
import { fileOf } from '../../model/place.ts';
import { Section } from '../../components/Section.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Inspection, StyleEntry } from '../../api/inspection.ts';
import { messages } from '../../messages.ts';
import { useWhere } from './where.tsx';

/** Every declaration of the source that applies to the element, in its own words. */
export function Declarations({ facts }: { facts: Inspection }) {
  return (
    <Section title={messages.styles} open={facts.styles.length > 0}>
      {facts.styles.length === 0 ? (
        <p className="help">{messages.noStyles}</p>
      ) : (
        <ul className="declarations">
          {facts.styles.map((style, index) => (
            <Declaration key={index} style={style} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Declaration({ style }: { style: StyleEntry }) {
  const editor = useEditor();
  const codeView = useModel((model) => model.session?.features.codeView === true);
  const at = style.at === null ? '' : longPlace(style.at);
  const told = useWhere(style.editable ? messages.whereSet(style.property, at, messages.from[style.from], style.shared ?? 1) : (style.why ?? ''), style.editable ? (style.shared ?? 1) : 1);
  const condition = conditionOf(style);
  const open = (): void => {
    if (!codeView || style.at === null) return;
    editor.store.setState({ code: true });
    void openFile(editor, fileOf(style.at), style.at);
  };
  return (
    <li className="declaration" {...told}>
      <span className={style.wins === false ? 'decl lost' : 'decl'}>
        <span className="prop">{style.property}</span>: {style.value};
      </span>
      {condition !== '' && <span className="when">{condition}</span>}
      {style.editable && (
        <button
          type="button"
          className="icon-button small"
          aria-label={messages.removeNamed(style.property)}
          onClick={() => void edit(editor, { kind: 'style', property: style.property, value: null }, { title: `Remove ${style.property}`, extra: style.at === null ? {} : { at: style.at } })}
        >
          <X size={12} aria-hidden />
        </button>
      )}
      {codeView ? (
        <button type="button" className="place" style={{ textAlign: 'left' }} onClick={open}>
          {at}
        </button>
      ) : (
        <span className="place">{at}</span>
      )}
    </li>
  );
}
