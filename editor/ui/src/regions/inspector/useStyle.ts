import { useEffect, useRef, useState } from 'react';
import { edit } from '../../model/edits.ts';
import type { Editor } from '../../model/editor.ts';
import { mayAsk } from '../../model/models.ts';
import { longPlace } from '../../model/place.ts';
import { inspect, inspected } from '../../model/selecting.ts';
import { conditionOf, contradicts, deciding, losing, type Losing } from '../../model/deciding.ts';
import { candidates, keepToken, tokenOf } from '../../model/tokens.ts';
import { becomesClass, decidingAt, scaleOf, settingOf, underVariant, withoutVariant } from '../../model/utilities.ts';
import { useEditor, useModel } from '../../react/use.ts';
import type { Breakpoint, ClassInfo, Inspection, Token } from '../../api/inspection.ts';
import type { Operation } from '../../api/edit.ts';
import type { Aim } from '../../model/edit_queue.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';
import { useReach } from './where.tsx';

/** One CSS property of the element: its value, where it is declared, and setting it. */
export interface StyleControl {
  property: string;
  /** What all of this was read from. */
  facts: Inspection;
  /** What the source declares and the page shows, a class of Tailwind by its name; empty when it declares nothing. */
  declared: string;
  /** A declaration that does not hold against what the page shows. */
  lost: Losing | null;
  /** What the page computes. */
  computed: string;
  editable: boolean;
  where: string;
  /** How many places of the source have the declaration. */
  shared: number;
  /** Whether the value is written as a class: the theme's own are in `scale`. */
  asClass: boolean;
  scale: readonly ClassInfo[];
  /** Shows a value in the page at once; `null` takes it back. */
  preview(value: string | null): void;
  /** Writes it into the source, a value or the name of a class; `null` removes it. Gives whether that was done. `aim` is of what was typed. */
  commit(value: string | null, aim?: Aim): Promise<boolean>;
}

const NO_CLASSES: ClassInfo[] = [];
const NO_BREAKPOINTS: Breakpoint[] = [];
const NO_TOKENS: Token[] = [];

export function useStyle(facts: Inspection, property: string): StyleControl {
  const editor = useEditor();
  const reach = useReach();
  const target = useModel((model) => model.selection?.target ?? null);
  const classes = useModel((model) => known(model.classes)?.classes ?? NO_CLASSES);
  const breakpoints = useModel((model) => known(model.classes)?.breakpoints ?? NO_BREAKPOINTS);
  const tokens = useModel((model) => known(model.classes)?.tokens ?? NO_TOKENS);
  const breakpoint = useModel((model) => breakpoints.find(({ name }) => name === model.variant));
  const page = useModel((model) => model.shown.width);
  const computed = target?.styles[property] ?? '';
  const variant = facts.utilities === null ? null : (breakpoint?.name ?? null);
  const entry = deciding(facts.styles, property);
  const shorthand = shorthandOf(property);
  const declaring = entry ?? deciding(facts.styles, shorthand);
  const asClass = becomesClass(facts, property, shorthand, variant);
  const setting = asClass ? settingOf(facts.utilities?.set ?? [], property, variant) : null;
  const able = asClass || facts.can.style;
  const certain = asClass || (entry ? entry.editable : able === true);
  const editable = useModel(mayAsk) || certain;
  const [previewing, setPreviewing] = useState(false);
  const contradicted = useLasting(!previewing && !asClass && entry !== undefined && contradicts(property, entry.value, computed));
  const lost = losing(facts.styles, property, asClass ? undefined : entry, contradicted);
  // What the page shows, not what the source would like it to show.
  const shown = lost?.entry === entry && entry !== undefined ? computed : (entry?.value ?? '');
  const declared = asClass ? (setting?.exact ? withoutVariant(setting.class, variant) : '') : shown;
  const shared = asClass || !certain ? 1 : (declaring?.shared ?? 1);
  const where = (): string => {
    if (!certain) return entry?.why ?? (able === true ? '' : able);
    const at = longPlace(facts.src);
    const alike = target?.shared ?? 1;
    if (asClass) return messages.whereClass(property, setting, at, breakpoint, alike) + messages.decides(decidingAt(facts.utilities?.set ?? [], property, breakpoints, breakpoint?.width ?? -1, page));
    // Such a rule may be the one in force in some pages, and then the change does not show.
    const other = facts.styles.find((style) => style !== declaring && style.property === property && style.wins === null && !style.editable && style.from !== 'inline' && style.from !== 'object');
    if (declaring) return messages.whereSet(property, longPlace(declaring.at ?? facts.src), messages.from[declaring.from], shared, conditionOf(declaring), other?.why ?? null);
    return messages.whereNew(property, at, alike);
  };

  // What nobody finished does not stay in the page when its field goes.
  const unfinished = useRef<number | null>(null);
  useEffect(
    () => () => {
      if (unfinished.current !== null) editor.page.send({ type: 'editor:preview', id: unfinished.current, property, value: null });
    },
    [editor, property],
  );
  const preview = (value: string | null): void => {
    setPreviewing(value !== null);
    if (target === null) return;
    unfinished.current = value === null ? null : target.id;
    editor.page.send({ type: 'editor:preview', id: target.id, property, value });
  };
  const write = (value: string | null, aim?: Aim): Promise<unknown> => {
    const options = { title: value === null ? `Remove ${property}` : `Set ${property}`, ...(aim && { aim }) };
    if (asClass && value === null && setting?.exact) return edit(editor, ({ src }) => removal(editor, src, property, variant, setting.class), options);
    const scale = scaleOf(classes, property);
    const named = asClass && value !== null ? scale.find(({ name }) => name === withoutVariant(value, variant)) : undefined;
    if (named) return edit(editor, { kind: 'class', add: [underVariant(named.name, variant)], remove: [] }, options);
    const extra = { ...(shared > 1 && reach !== null ? { scope: reach } : {}), ...(variant === null ? {} : { variant }) };
    return edit(editor, { kind: 'style', property, value }, { ...options, extra });
  };
  const commit = async (value: string | null, aim?: Aim): Promise<boolean> => {
    unfinished.current = null;
    const same = !contradicted && (value ?? '') === declared;
    const token = same || value === null ? null : tokenOf(facts, property, variant, asClass);
    const wanted = value === null ? null : await keepToken(editor, property, value, token, candidates(scaleOf(classes, property), tokens, asClass));
    // Taken back only afterwards: until then the source does not say it.
    const done = same || ((value === null || wanted !== null) && (await write(wanted, aim)) !== null);
    preview(null);
    return done;
  };
  return { property, facts, declared, lost, computed, editable, where: where(), shared, asClass, scale: asClass ? scaleOf(classes, property) : NO_CLASSES, preview, commit };
}

/** Longer than a page takes to show an edit, in milliseconds. */
const LASTS = 1500;

/** Whether something has been so for a while: between an edit and the page's next look at it, nothing fits. */
function useLasting(now: boolean): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!now) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), LASTS);
    return () => clearTimeout(timer);
  }, [now]);
  return now && lasting;
}

/** Removes the class that sets the property when its turn comes: an edit before may have put another one in its place. */
async function removal(editor: Editor, src: string, property: string, variant: string | null, seen: string): Promise<Operation> {
  await inspect(editor);
  const facts = inspected(editor.store.getState());
  const now = facts?.src === src && facts.utilities !== null ? settingOf(facts.utilities.set, property, variant) : null;
  return { kind: 'class', add: [], remove: [now?.exact ? now.class : seen] };
}

/** The property that sets this one too: where it stands, this one is added. */
function shorthandOf(property: string): string | undefined {
  if (/^(row|column)-gap$/.test(property)) return 'gap';
  return /^(margin|padding|border(?!-radius)|background|font)(?=-)/.exec(property)?.[0];
}
