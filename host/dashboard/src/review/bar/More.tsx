import { Command, Ellipsis, ExternalLink, Keyboard, Link2, RotateCw } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { slotState } from '../../api/ui.ts';
import { reviewWords } from '../../words.ts';
import { copyLink, reloadFrame } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { readableMod } from '../model/keys.ts';
import { innerPath, openAddress } from '../model/pages.ts';
import { useReview } from '../store.ts';

/** The rarer commands; on a phone also the ways to the project's other pages. */
export function More({ narrow }: { narrow: boolean }) {
  const { project, ui } = useReviewing();
  const deployments = slotState(ui, 'deployments') !== 'absent';
  const at = useReview((state) => state.at);
  const page = useReview((state) => (state.frame.page === '' ? state.frame.start : state.frame.page));
  const base = `/projects/${project.slug}`;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="icon-button" aria-label={reviewWords.more}>
        <Ellipsis size={16} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
          <DropdownMenu.Item className="menu-item" onSelect={reloadFrame}>
            <RotateCw size={14} aria-hidden />
            {reviewWords.reload}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" asChild>
            <a href={openAddress(project.slug, at, innerPath(page))} target="_blank" rel="noopener">
              <ExternalLink size={14} aria-hidden />
              {reviewWords.openTab}
            </a>
          </DropdownMenu.Item>
          {narrow && (
            <>
              <DropdownMenu.Item className="menu-item" onSelect={() => void copyLink(null)}>
                <Link2 size={14} aria-hidden />
                {reviewWords.copyLink}
              </DropdownMenu.Item>
              {deployments && (
                <DropdownMenu.Item className="menu-item" asChild>
                  <a href={`${base}/deployments`}>{reviewWords.deployments}</a>
                </DropdownMenu.Item>
              )}
              {project.canManage && (
                <DropdownMenu.Item className="menu-item" asChild>
                  <a href={`${base}/settings/general`}>{reviewWords.settings}</a>
                </DropdownMenu.Item>
              )}
            </>
          )}
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" onSelect={() => useReview.setState({ dialog: 'palette' })}>
            <Command size={14} aria-hidden />
            {reviewWords.palette}
            <span className="keys">{readableMod('K')}</span>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => useReview.setState({ dialog: 'help' })}>
            <Keyboard size={14} aria-hidden />
            {reviewWords.shortcuts}
            <span className="keys">?</span>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
