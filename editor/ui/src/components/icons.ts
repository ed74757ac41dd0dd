/** The signs of actions. */
import {
  ArrowDown, ArrowLeft, ArrowRight, ArrowUp, BookmarkX, ClipboardPaste, Columns2, Eye, LogIn, Paintbrush, Braces, ClipboardCopy, CodeXml, Command, Copy, CornerLeftUp, CornerRightDown, ExternalLink, GitBranch,
  GitCommitHorizontal, History, Keyboard, Link2, Maximize, MessageSquare, MessageSquarePlus, Minus, MonitorPlay, Monitor, MousePointer2, PanelLeft, PanelRight, PencilLine, Plus,
  PlusSquare, Redo2, Repeat, RotateCcw, RotateCw, Settings, Smartphone, Snowflake, Sparkles, Square, SunMoon, Tablet, Laptop, Trash2, Undo2, Unlink, Upload, FileCode2, FileDiff, NotebookPen, LayoutGrid, GalleryHorizontalEnd, Images, Play,
  type LucideIcon,
} from 'lucide-react';

const ICONS: Record<string, LucideIcon> = {
  undo: Undo2, redo: Redo2, 'edit-text': PencilLine, insert: PlusSquare, duplicate: Copy, delete: Trash2, 'move-up': ArrowUp, 'move-down': ArrowDown,
  swap: Repeat, detach: Unlink, 'select-parent': CornerLeftUp, 'select-child': CornerRightDown, 'select-next': ArrowDown, 'select-previous': ArrowUp,
  'clear-selection': BookmarkX, 'switch-use': Repeat, 'copy-place': ClipboardCopy, 'open-in-vscode': CodeXml, 'mode-select': MousePointer2,
  'mode-use': MonitorPlay, 'mode-comment': MessageSquare, 'width-phone': Smartphone, 'width-tablet': Tablet, 'width-laptop': Laptop, 'width-fill': Monitor,
  'copy-styles': Paintbrush, 'paste-styles': ClipboardPaste, beside: Columns2, 'before-edit': Eye, 'before-start': Eye, 'focus-page': LogIn, 'zoom-in': Plus, 'zoom-out': Minus, 'zoom-full': Square, 'zoom-fit': Maximize, freeze: Snowflake, 'toggle-left': PanelLeft, 'toggle-right': PanelRight,
  'toggle-canvas': LayoutGrid, 'canvas-again': RotateCw, 'plan-new': GalleryHorizontalEnd, 'plan-run': Play, 'plan-stop': Square, 'plan-shots': Images, 'plan-rename': PencilLine, 'plan-delete': Trash2,
  'toggle-code': Braces, 'show-inspect': PanelRight, 'show-comments': MessageSquare, 'show-notes': NotebookPen, 'show-page': PanelLeft, 'show-files': FileCode2, 'show-changes': FileDiff, 'show-history': History, theme: SunMoon,
  'page-back': ArrowLeft, 'page-forward': ArrowRight, 'page-reload': RotateCw, 'open-page': ExternalLink, 'restart-host': RotateCcw, commit: GitCommitHorizontal, publish: Upload,
  'chat-new': MessageSquarePlus, 'chat-stop': Square, 'show-chat': Sparkles, 'let-model-try': Sparkles, 'model-preference': Sparkles,
  'new-branch': GitBranch, 'discard-all': Trash2, 'link-project': Link2, settings: Settings, palette: Command, shortcuts: Keyboard, 'single-keys': Keyboard,
};

export function iconOf(id: string): LucideIcon {
  return ICONS[id] ?? Square;
}
