import { DropdownMenu } from 'radix-ui';
import { Check } from 'lucide-react';
import { reviewWords } from '../../words.ts';
import { useReview } from '../store.ts';

const STEPS = [0.5, 0.75, 1, 1.5, 2] as const;

/** How large the prototype is shown. Its width stays what it is. */
export function Zoom() {
  const zoom = useReview((state) => state.zoom);
  const scale = useReview((state) => state.frame.scale);
  const shown = zoom === null ? `${reviewWords.fit} · ${reviewWords.percent(scale)}` : reviewWords.percent(zoom);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button plain zoom" aria-label={reviewWords.zoom(shown)}>
        {shown}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" sideOffset={6}>
          <DropdownMenu.RadioGroup value={String(zoom ?? 'fit')} onValueChange={(value) => useReview.setState({ zoom: value === 'fit' ? null : Number(value) })}>
            {['fit', ...STEPS].map((value) => (
              <DropdownMenu.RadioItem key={value} className="menu-item" value={String(value)}>
                <span className="menu-check">
                  <DropdownMenu.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </DropdownMenu.ItemIndicator>
                </span>
                {typeof value === 'number' ? reviewWords.percent(value) : reviewWords.fit}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
