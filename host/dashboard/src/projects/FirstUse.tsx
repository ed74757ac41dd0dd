import { useState } from 'react';
import { PageLink } from '../shell/PageLink.tsx';
import { projectsWords as words } from '../words.ts';
import { firstCommands } from './model.ts';

/** What stands at `/` before there is a project. */
export function FirstUse({ publicUrl, mayCreate, onCreate }: { publicUrl: string; mayCreate: boolean; onCreate: () => void }) {
  return (
    <section className="first">
      <h2>{words.firstTitle}</h2>
      <p>{mayCreate ? words.firstWhy : words.firstReader}</p>
      {mayCreate && (
        <>
          <button type="button" className="button primary" onClick={onCreate}>
            {words.create}
          </button>
          <h3>{words.commands}</h3>
          <p className="help">
            {words.commandsWhy} <PageLink href="/you/tokens">{words.tokens}</PageLink>
          </p>
          <Commands text={firstCommands(publicUrl)} />
        </>
      )}
    </section>
  );
}

function Commands({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true), () => setCopied(false));
  return (
    <div className="commands">
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" className="button" onClick={copy}>
        <span aria-live="polite">{copied ? words.copied : words.copy}</span>
      </button>
    </div>
  );
}
