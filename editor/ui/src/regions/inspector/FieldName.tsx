import { messages } from '../../messages.ts';
import type { StyleControl } from './useStyle.ts';

/** The name beside a control: a dot says that the source declares it, a number in how many places it holds. */
export function FieldName({ style, label, htmlFor }: { style: StyleControl; label: string; htmlFor?: string }) {
  const name = `name${style.declared === '' ? '' : ' declared'}`;
  const shared = style.shared > 1 && (
    <span className="times" title={messages.sharedBy(style.shared)}>
      {messages.times(style.shared)}
    </span>
  );
  const text = <span className="text">{label}</span>;
  if (htmlFor === undefined) return <span className={name}>{text}{shared}</span>;
  return <label className={name} htmlFor={htmlFor}>{text}{shared}</label>;
}
