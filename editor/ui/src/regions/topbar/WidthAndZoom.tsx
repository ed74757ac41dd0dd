import { DropdownMenu } from 'radix-ui';
import { beside } from '../../actions/beside.ts';
import { zoomFit, zoomFull, zoomIn, zoomOut } from '../../actions/zoom.ts';
import { ActionIcon } from '../../components/ActionButton.tsx';
import { MenuItem } from '../../components/MenuItem.tsx';
import { useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { WidthField, WidthPicker } from '../preview/widths.tsx';

/** Two things: how wide the page is, and how large it is shown. With two pages each has its width above it. */
export function WidthAndZoom() {
  const twice = useModel((model) => model.sideWidth !== null);
  const zoom = useModel((model) => model.zoom);
  const scale = useModel((model) => model.shown.scale);
  const percent = `${Math.round((zoom ?? scale) * 100)} %`;
  const shown = zoom === null ? `${messages.fit} · ${percent}` : percent;
  return (
    <>
      {!twice && <WidthPicker pane="main" />}
      {!twice && <WidthField pane="main" />}
      <ActionIcon action={beside} />
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button plain zoom" aria-label={`${messages.zoom}: ${shown}`}>
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
