import { useDeferredValue, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';

/** What a model writes. No HTML and no pictures: a page, a file or a model must not load anything or say where it was read. */
export default function Markdown({ text }: { text: string }) {
  // A text that streams in is parsed when there is time for it.
  const shown = useDeferredValue(text);
  return (
    <div className="markdown">
      <ReactMarkdown skipHtml disallowedElements={['img']} components={COMPONENTS}>
        {shown}
      </ReactMarkdown>
    </div>
  );
}

function Heading({ children }: { children?: ReactNode }) {
  return <h4>{children}</h4>;
}

const COMPONENTS: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href, children }) =>
    href !== undefined && /^https?:\/\//.test(href) ? (
      <a href={href} title={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Long lines are read by scrolling, which the keyboard needs the focus for.
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
};
