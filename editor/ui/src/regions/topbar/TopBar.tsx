import { ChevronDown, GitBranch } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { palette, publish, commit, settings, shortcuts, newBranch, linkProject, discardAll } from '../../actions/dialogs.ts';
import { beside } from '../../actions/beside.ts';
import { modeComment, modeSelect, modeUse } from '../../actions/modes.ts';
import { showChanges, toggleCanvas, toggleCode, toggleLeft, toggleRight } from '../../actions/panels.ts';
import { freeze } from '../../actions/freeze.ts';
import { openPage } from '../../actions/open_page.ts';
import { redo } from '../../actions/redo.ts';
import { theme } from '../../actions/theme.ts';
import { undo } from '../../actions/undo.ts';
import { readableKeys } from '../../actions/keys.ts';
import { ActionButton, ActionIcon } from '../../components/ActionButton.tsx';
import { iconOf } from '../../components/icons.ts';
import { MenuItem } from '../../components/MenuItem.tsx';
import { Segments } from '@kit/Segments.tsx';
import { switchBranch } from '../../model/git.ts';
import { loadBranches } from '../../model/loading.ts';
import { enterMode, MODES } from '../../model/modes.ts';
import type { Mode } from '../../model/model.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';
import { Ellipsis } from 'lucide-react';
import { WidthAndZoom } from './WidthAndZoom.tsx';

export function TopBar() {
  const name = useModel((model) => model.session?.name ?? '');
  const ahead = useModel((model) => known(model.git)?.ahead ?? 0);
  const changed = useModel((model) => known(model.git)?.files.length ?? 0);
  return (
    <header className="topbar">
      <h1 className="hidden">Editor: {name}</h1>
      <ActionIcon action={toggleLeft} />
      <div className="project">
        <img src="/icon.svg" alt="" width={20} height={20} />
        <span aria-hidden title={name}>{name === '' ? messages.starting : name}</span>
      </div>
      <BranchMenu />
      <div className="bar-line" />
      <ActionIcon action={undo} />
      <ActionIcon action={redo} />
      <div className="gap" />
      <Modes />
      <div className="bar-line" />
      <WidthAndZoom />
      <div className="gap" />
      <ActionIcon action={palette} className="extra" label={messages.commands} />
      <ActionIcon action={toggleCanvas} className="extra" label={messages.canvas} />
      <ActionIcon action={toggleCode} className="extra" label={messages.code} />
      <ActionIcon action={showChanges} className="extra" label={messages.changesTab} />
      <ActionButton action={commit} label={messages.commit} tone={changed > 0 ? 'primary' : ''} count={changed} />
      <ActionButton action={publish} label={messages.publish} tone={changed === 0 && ahead > 0 ? 'primary' : ''} count={ahead} />
      <MoreMenu />
      <ActionIcon action={toggleRight} />
    </header>
  );
}

function Modes() {
  const editor = useEditor();
  const mode = useModel((model) => model.mode);
  const options = [modeSelect, modeUse, modeComment].map(({ id, label, keys }) => {
    const Icon = iconOf(id);
    const value = id.replace('mode-', '') as Mode;
    const { short } = MODES[value];
    const show = (
      <>
        <Icon size={14} aria-hidden />
        <span className="wordy">{short}</span>
      </>
    );
    return { value, label, keys: readableKeys(keys[0] ?? ''), show };
  });
  const change = (value: string): void => enterMode(editor, value as Mode);
  return <Segments label={messages.mode} value={mode} options={options} onChange={change} />;
}

function BranchMenu() {
  const editor = useEditor();
  const branch = useModel((model) => known(model.git)?.branch ?? model.session?.branch ?? null);
  const branches = useModel((model) => known(model.branches)?.branches);
  return (
    <DropdownMenu.Root modal={false} onOpenChange={(open) => (open ? void loadBranches(editor) : undefined)}>
      <DropdownMenu.Trigger className="button plain branch" aria-label={`${messages.branches}: ${branch ?? messages.detached}`}>
        <GitBranch size={14} aria-hidden />
        <span>{branch ?? messages.detached}</span>
        <ChevronDown size={12} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          <DropdownMenu.Label className="menu-label">{messages.branches}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={branch ?? ''}>
            {branches?.map(({ name, subject }) => (
              <DropdownMenu.RadioItem key={name} value={name} className="menu-item" onSelect={() => (name === branch ? undefined : void switchBranch(editor, name, false))}>
                <span>{name}</span>
                <span className="from">{subject}</span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-line" />
          <MenuItem action={newBranch} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function MoreMenu() {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="icon-button" aria-label={messages.more} title={messages.more}>
        <Ellipsis size={16} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          {[palette, shortcuts].map((action) => <MenuItem key={action.id} action={action} />)}
          <DropdownMenu.Separator className="menu-line" />
          {[openPage, beside, toggleCanvas, freeze, theme].map((action) => <MenuItem key={action.id} action={action} />)}
          <DropdownMenu.Separator className="menu-line" />
          {[showChanges, discardAll, newBranch].map((action) => <MenuItem key={action.id} action={action} />)}
          <DropdownMenu.Separator className="menu-line" />
          {[linkProject, settings].map((action) => <MenuItem key={action.id} action={action} />)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
