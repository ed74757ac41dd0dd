import { Segments } from '../../parts/Segments.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Breakpoint } from '../../wire/inspection.ts';
import { known } from '../../wire/result.ts';
import { words } from '../../words.ts';

const NONE: Breakpoint[] = [];
const ALL = 'all';

/** From which width of the page on the styles below are set: Tailwind's breakpoints. */
export function Widths() {
  const { store } = useEditor();
  const breakpoints = useModel((model) => known(model.classes)?.breakpoints ?? NONE);
  const variant = useModel((model) => model.variant);
  const page = useModel((model) => model.shown.width);
  if (breakpoints.length === 0) return null;
  const chosen = breakpoints.find(({ name }) => name === variant);
  const options = [{ value: ALL, label: words.allWidths, show: <span>{words.all}</span> }, ...breakpoints.map(({ name, width }) => ({ value: name, label: words.fromWidth(width), show: <span>{name}</span> }))];
  return (
    <div className="widths-bar">
      <Segments wide label={words.stylesFor} value={chosen?.name ?? ALL} options={options} onChange={(value) => store.setState({ variant: value === ALL ? null : value })} />
      {chosen !== undefined && page > 0 && page < chosen.width && (
        <p className="notice warn">
          <span>{words.tooNarrow(page, chosen.width)}</span>
          <button type="button" className="button" onClick={() => store.setState({ width: chosen.width, zoom: null })}>
            {words.widen(chosen.width)}
          </button>
        </p>
      )}
    </div>
  );
}
