/** The width of a pane: a device's, or a number. It never changes the zoom. */
import type { Pane } from '../../api/page.ts';
import { readableKeys } from '../../actions/keys.ts';
import { iconOf } from '../../components/icons.ts';
import { Segments } from '@kit/Segments.tsx';
import { useDraft } from '../../components/useDraft.ts';
import { BREAKPOINTS } from '../../model/breakpoints.ts';
import { MAX_WIDTH, MIN_WIDTH } from '../../model/preferences.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

function useWidth(pane: Pane): { width: number | null; set: (width: number | null) => void } {
  const { store } = useEditor();
  const width = useModel((model) => (pane === 'main' ? model.width : model.sideWidth));
  return { width, set: (next) => store.setState(pane === 'main' ? { width: next } : { sideWidth: next }) };
}

export function WidthPicker({ pane }: { pane: Pane }) {
  const { width, set } = useWidth(pane);
  const offered = BREAKPOINTS.filter((each) => pane === 'main' || each.width !== null);
  const chosen = offered.find((each) => each.width === width)?.id ?? 'own';
  const options = offered.map(({ id, label, width: pixels }, index) => {
    const Icon = iconOf(`width-${id}`);
    const keys = pane === 'main' ? { keys: readableKeys(String(index + 1)) } : {};
    return { value: id, label: pixels === null ? label : `${label}, ${pixels} px`, ...keys, show: <Icon size={15} aria-hidden /> };
  });
  const pick = (id: string): void => {
    const found = offered.find((each) => each.id === id);
    if (found) set(found.width);
  };
  return <Segments className="widths" label={pane === 'main' ? messages.width : messages.sideWidth} value={chosen} options={options} onChange={pick} />;
}

export function WidthField({ pane }: { pane: Pane }) {
  const { width, set } = useWidth(pane);
  const now = useModel((model) => (pane === model.pane ? model : model.beside).shown.width);
  const { draft, setDraft, reset } = useDraft(width === null ? '' : String(width));
  const commit = (): void => {
    const number = Number.parseInt(draft, 10);
    if (draft.trim() === '' && pane === 'main') set(null);
    else if (number >= MIN_WIDTH && number <= MAX_WIDTH) set(number);
    else reset();
  };
  return (
    <input
      className="input number extra"
      inputMode="numeric"
      aria-label={pane === 'main' ? messages.widthField : messages.sideWidthField}
      placeholder={now > 0 ? String(now) : undefined}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => (event.key === 'Enter' ? commit() : event.key === 'Escape' ? reset() : undefined)}
    />
  );
}
