import { useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { AddressBar } from './AddressBar.tsx';
import { Cover } from './Cover.tsx';
import { Frame } from './Frame.tsx';
import { StatusBar } from './StatusBar.tsx';

export function Preview() {
  const comment = useModel((model) => model.mode === 'comment');
  return (
    <section className="stage" aria-label={messages.preview}>
      <AddressBar />
      <div className={`canvas${comment ? ' commenting' : ''}`}>
        <Frame />
        <Cover />
      </div>
      <StatusBar />
    </section>
  );
}
