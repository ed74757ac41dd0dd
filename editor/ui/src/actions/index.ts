/** All actions, in the order of palette and cheat sheet. */
import type { Action } from './action.ts';
import { askAgain } from './ask_again.ts';
import { beforeEdit, beforeStart } from './before.ts';
import { beside } from './beside.ts';
import { breakpoints } from './breakpoints.ts';
import { canvasAgain, planDelete, planNew, planRename, planRun, planShots, planStop } from './canvas.ts';
import { chatNew } from './chat_new.ts';
import { chatStop } from './chat_stop.ts';
import { clearSelection } from './clear_selection.ts';
import { copyPlace } from './copy_place.ts';
import { remove } from './delete.ts';
import { detach } from './detach.ts';
import { commit, discardAll, linkProject, newBranch, palette, publish, settings, shortcuts } from './dialogs.ts';
import { duplicate } from './duplicate.ts';
import { editText } from './edit_text.ts';
import { focusPage } from './focus_page.ts';
import { freeze } from './freeze.ts';
import { insert } from './insert.ts';
import { letModelTry } from './let_model_try.ts';
import { modelPreference } from './model_preference.ts';
import { modeComment, modeSelect, modeUse } from './modes.ts';
import { moveDown, moveUp } from './move.ts';
import { openInVscode } from './open_in_vscode.ts';
import { openPage } from './open_page.ts';
import { pageBack, pageForward, pageReload } from './page.ts';
import { showChanges, showChat, showComments, showFiles, showHistory, showInspector, showNotes, showPage, toggleCanvas, toggleCode, toggleLeft, toggleRight } from './panels.ts';
import { restart } from './restart_host.ts';
import { redo } from './redo.ts';
import { singleKeys } from './single_keys.ts';
import { copyStyles, pasteStyles } from './styles.ts';
import { swap } from './swap.ts';
import { switchUse } from './switch_use.ts';
import { theme } from './theme.ts';
import { undo } from './undo.ts';
import { selectChild, selectNext, selectParent, selectPrevious } from './walk.ts';
import { zoomFit, zoomFull, zoomIn, zoomOut } from './zoom.ts';

export const ACTIONS: readonly Action[] = [
  undo, redo, editText, insert, duplicate, remove, moveUp, moveDown, swap, detach, copyStyles, pasteStyles, askAgain, letModelTry, modelPreference,
  selectParent, selectChild, selectNext, selectPrevious, clearSelection, switchUse, copyPlace, openInVscode,
  modeSelect, modeUse, modeComment,
  ...breakpoints, beside, zoomIn, zoomOut, zoomFull, zoomFit, beforeEdit, beforeStart, freeze, toggleLeft, toggleRight, toggleCode, toggleCanvas, canvasAgain, planNew, planRun, planStop, planShots, planRename, planDelete,
  showPage, showFiles, showInspector, showComments, showNotes, showChanges, showHistory, showChat, theme,
  pageBack, pageForward, pageReload, focusPage, openPage, restart,
  commit, publish, newBranch, discardAll,
  chatNew, chatStop, linkProject, settings,
  palette, shortcuts, singleKeys,
];

const BY_ID = new Map(ACTIONS.map((each) => [each.id, each]));

export function actionById(id: string): Action | undefined {
  return BY_ID.get(id);
}
