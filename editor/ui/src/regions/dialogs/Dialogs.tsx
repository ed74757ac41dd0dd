import { Suspense } from 'react';
import { later } from '../../components/later.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { BlockedDialog } from './BlockedDialog.tsx';
import { BranchDialog } from './BranchDialog.tsx';
import { ChooseDialog } from './ChooseDialog.tsx';
import { CommitDialog } from './CommitDialog.tsx';
import { DiscardDialog } from './DiscardDialog.tsx';
import { Palette } from './Palette.tsx';
import { PublishDialog } from './PublishDialog.tsx';

const InsertDialog = later(() => import('./InsertDialog.tsx'));
const DeletePlan = later(() => import('./DeletePlan.tsx'));
const LinkDialog = later(() => import('./LinkDialog.tsx'));
const NamePlan = later(() => import('./NamePlan.tsx'));
const PlanShots = later(() => import('./PlanShots.tsx'));
const SettingsDialog = later(() => import('./SettingsDialog.tsx'));
const ShortcutsDialog = later(() => import('./ShortcutsDialog.tsx'));
const SwapDialog = later(() => import('./SwapDialog.tsx'));

/** The dialog that is open; a choice an edit waits for comes first. */
export function Dialogs() {
  return (
    <Suspense>
      <Shown />
    </Suspense>
  );
}

function Shown() {
  const { store } = useEditor();
  const dialog = useModel((model) => model.dialog);
  const choosing = useModel((model) => model.choosing);
  const close = (): void => store.setState({ dialog: null });
  if (choosing) return <ChooseDialog key={choosing.refusal.reason} choosing={choosing} />;
  switch (dialog?.is) {
    case 'palette': return <Palette onClose={close} />;
    case 'shortcuts': return <ShortcutsDialog onClose={close} />;
    case 'commit': return <CommitDialog onClose={close} />;
    case 'publish': return <PublishDialog onClose={close} />;
    case 'branch': return <BranchDialog onClose={close} />;
    case 'settings': return <SettingsDialog onClose={close} />;
    case 'link': return <LinkDialog onClose={close} />;
    case 'insert': return <InsertDialog src={dialog.src} onClose={close} />;
    case 'swap': return <SwapDialog src={dialog.src} onClose={close} />;
    case 'plan-new': return <NamePlan onClose={close} />;
    case 'plan-shots': return <PlanShots onClose={close} />;
    case 'plan-rename': return <NamePlan renames onClose={close} />;
    case 'plan-delete': return <DeletePlan onClose={close} />;
    case 'blocked': return <BlockedDialog step={dialog} onClose={close} />;
    case 'discard': return <DiscardDialog path={dialog.path} onClose={close} />;
    case undefined: return null;
  }
}
