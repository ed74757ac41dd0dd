import { useReturnFocus } from '@kit/returnFocus.ts';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { chooseTheme } from '../../shell/theme.ts';
import { reviewWords } from '../../words.ts';
import { WIDTHS } from '../bar/widths.ts';
import { copyLink, reloadFrame, select, setMode, setPanel, showVersion } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { FILTERS } from '../model/filters.ts';
import { useReview } from '../store.ts';

/** More comments than this are found by searching the list. */
const MAX_COMMENTS = 200;

/** Every command, and the comments, by typing. */
export default function Palette() {
  const { comments, mayComment, project } = useReviewing();
  const mode = useReview((state) => state.mode);
  const at = useReview((state) => state.at);
  const returnFocus = useReturnFocus();
  const close = (): void => useReview.setState({ dialog: null });
  const item = (label: string, act: () => void, keys?: string) => (
    <Command.Item key={label} value={label} onSelect={() => (close(), act())}>
      {label}
      {keys !== undefined && <span className="keys">{keys}</span>}
    </Command.Item>
  );
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : close())}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="palette" onCloseAutoFocus={returnFocus} aria-describedby={undefined}>
          <Dialog.Title className="hidden">{reviewWords.palette}</Dialog.Title>
          <Command label={reviewWords.palette}>
            <Command.Input placeholder={reviewWords.paletteHint} />
            <Command.List>
              <Command.Empty>{reviewWords.paletteEmpty}</Command.Empty>
              <Command.Group heading={reviewWords.commands}>
                {mayComment && item(mode === 'comment' ? reviewWords.use : reviewWords.comment, () => setMode(mode === 'comment' ? 'use' : 'comment'), 'c')}
                {item(reviewWords.copyLink, () => void copyLink(null))}
                {item(reviewWords.reload, reloadFrame)}
                {at !== null && item(reviewWords.toLive, () => showVersion(null))}
                {WIDTHS.map(({ id, width }) => item(`${reviewWords.width}: ${reviewWords.widths[id]}${width === null ? '' : `, ${width} px`}`, () => useReview.setState({ width })))}
                {FILTERS.map((filter) =>
                  item(`${reviewWords.comments}: ${reviewWords.filter[filter]}`, () => {
                    setPanel(true);
                    useReview.setState({ filter });
                  }),
                )}
                {item(reviewWords.deployments, () => location.assign(`/projects/${project.slug}/deployments`))}
                {project.canManage && item(reviewWords.settings, () => location.assign(`/projects/${project.slug}/settings/general`))}
                {(['system', 'light', 'dark'] as const).map((theme) => item(reviewWords.themes[theme], () => chooseTheme(theme)))}
                {item(reviewWords.shortcuts, () => useReview.setState({ dialog: 'help' }), '?')}
              </Command.Group>
              {comments.length > 0 && (
                <Command.Group heading={reviewWords.goComment}>
                  {comments.slice(-MAX_COMMENTS).map((comment) => (
                    <Command.Item key={comment.id} value={`#${comment.number} ${comment.body.slice(0, 200)} ${comment.author.displayName} ${comment.id}`} onSelect={() => (close(), select(comment))}>
                      <span className={`pin-number${comment.resolved ? ' resolved' : ''}`}>{comment.number}</span>
                      <span className="palette-text">{comment.body}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
