import { State } from '@kit/State.tsx';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { messages } from '../messages.ts';

/** A part that is loaded when it is first shown. Where that fails, as after an update of the program, the rest stays. */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => load().catch((): { default: ComponentType<P> } => ({ default: Missing })));
}

function Missing() {
  const reload = (
    <button type="button" className="button" onClick={() => location.reload()}>
      {messages.reload}
    </button>
  );
  return (
    <State title={messages.notLoaded} tone="bad" actions={reload}>
      {messages.notLoadedHelp}
    </State>
  );
}
