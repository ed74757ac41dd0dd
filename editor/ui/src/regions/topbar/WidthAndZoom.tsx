import { zoomFit, zoomFull, zoomIn, zoomOut } from '../../actions/zoom.ts';
import { breakpoints } from '../../actions/breakpoints.ts';
import { readableKeys } from '../../actions/keys.ts';
import { BREAKPOINTS } from '../../model/breakpoints.ts';
import { iconOf } from '../../components/icons.ts';
import { MenuItem } from '../../components/MenuItem.tsx';
import { Segments } from '../../components/Segments.tsx';
import { useDraft } from '../../components/useDraft.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { DropdownMenu } from 'radix-ui';

export function WidthAndZoom() {
  const editor = useEditor();
  const width = useModel((model) => model.width);
  const zoom = useModel((model) => model.zoom);
  const scale = useModel((model) => model.shown.scale);
  const percent = `${Math.round((zoom ?? scale) * 100)} %`;
  const shown = zoom === null && scale === 1 ? messages.fit : percent;
  const chosen = BREAKPOINTS.find((each) => each.width === width)?.id ?? 'own';
  const options = BREAKPOINTS.map(({ id, label }, index) => {
    const Icon = iconOf(`width-${id}`);
    return { value: id, label, keys: readableKeys(String(index + 1)), show: <Icon size={15} aria-hidden /> };
  });
  const pick = (id: string): void => void breakpoints.find((each) => each.id === `width-${id}`)?.perform(editor);
  return (
    <>
      <Segments className="widths" label={messages.width} value={chosen} options={options} onChange={pick} />
      <WidthField width={width} />
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button plain extra" aria-label={`${messages.zoom}: ${shown}`}>
          {shown}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" sideOffset={4}>
            {[zoomIn, zoomOut, zoomFull, zoomFit].map((action) => <MenuItem key={action.id} action={action} />)}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  );
}

function WidthField({ width }: { width: number | null }) {
  const { store } = useEditor();
  const now = useModel((model) => model.shown.width);
  const { draft, setDraft, reset } = useDraft(width === null ? '' : String(width));
  const commit = (): void => {
    const number = Number.parseInt(draft, 10);
    if (draft.trim() === '') store.setState({ width: null, zoom: 1 });
    else if (number >= 200 && number <= 4000) store.setState({ width: number, zoom: null });
    else reset();
  };
  return (
    <input
      className="input number extra"
      inputMode="numeric"
      aria-label={messages.widthField}
      placeholder={now > 0 ? String(now) : undefined}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => (event.key === 'Enter' ? commit() : event.key === 'Escape' ? reset() : undefined)}
    />
  );
}
