import { Segments } from '@kit/Segments.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Breakpoint } from '../../api/inspection.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';

const NONE: Breakpoint[] = [];
const ALL = 'all';

/** From which width of the page on the styles below are set: Tailwind's breakpoints. */
export function Widths() {
  const { store } = useEditor();
  const breakpoints = useModel((model) => known(model.classes)?.breakpoints ?? NONE);
  const variant = useModel((model) => model.variant);
  const page = useModel((model) => model.shown.width);
  const pane = useModel((model) => model.pane);
  if (breakpoints.length === 0) return null;
  const chosen = breakpoints.find(({ name }) => name === variant);
  const options = [{ value: ALL, label: messages.allWidths, show: <span>{messages.all}</span> }, ...breakpoints.map(({ name, width }) => ({ value: name, label: messages.fromWidth(width), show: <span>{name}</span> }))];
  return (
    <div className="widths-bar">
      <Segments wide label={messages.stylesFor} value={chosen?.name ?? ALL} options={options} onChange={(value) => store.setState({ variant: value === ALL ? null : value })} />
      {chosen !== undefined && page > 0 && page < chosen.width && (
        <p className="notice warn">
          <span>{messages.tooNarrow(page, chosen.width)}</span>
          <button type="button" className="button" onClick={() => store.setState(pane === 'main' ? { width: chosen.width } : { sideWidth: chosen.width })}>
            {messages.widen(chosen.width)}
          </button>
        </p>
      )}
    </div>
  );
}
