/** `/api/project…`, `/api/settings`, `/api/editor/file`, `/api/editor/notes/…`. */
import * as v from 'valibot';

const word = v.optional(v.nullable(v.string()), null);

const Linked = v.object({ id: v.string(), slug: word, name: v.string(), viewerUrl: word, baseUrl: word });
export const ProjectSchema = v.object({ linked: v.nullable(Linked), signedIn: v.optional(v.boolean(), false) });
export type Project = v.InferOutput<typeof ProjectSchema>;

const Author = v.object({ uid: v.optional(v.nullable(v.string()), ''), displayName: v.string() });
const ids = v.optional(v.array(v.string()), []);
const Reply = v.object({ id: v.string(), body: v.string(), author: Author, mentions: ids, createdAt: v.string() });
const Comment = v.object({
  id: v.string(),
  body: v.string(),
  /** The anchor is what some bridge wrote down: it is only handed to the bridge, which reads it as a claim. */
  position: v.object({ anchorSelector: v.string(), page: v.string(), anchor: v.optional(v.unknown()) }),
  author: Author,
  mentions: ids,
  resolved: v.boolean(),
  replies: v.optional(v.array(Reply), []),
  createdAt: v.string(),
});
export const CommentsSchema = v.object({ comments: v.array(Comment) });
export type Comment = v.InferOutput<typeof Comment>;

/** Somebody whom a comment can mention. Who is `pending` was invited and has not written yet. */
const Participant = v.object({ id: v.string(), displayName: v.string(), status: v.optional(v.string(), '') });
export type Participant = v.InferOutput<typeof Participant>;
export const ParticipantsSchema = v.object({ participants: v.array(Participant) });

const Setting = v.object({
  key: v.string(),
  kind: v.fallback(v.picklist(['boolean', 'number', 'text', 'texts', 'list', 'object']), 'object'),
  value: v.optional(v.unknown()),
  file: v.optional(v.nullable(v.string()), ''),
  default: v.optional(v.unknown()),
  description: v.optional(v.nullable(v.string()), ''),
  restart: v.optional(v.boolean(), false),
  editable: v.optional(v.boolean(), true),
  /** Whether anything goes by it yet. */
  works: v.optional(v.boolean(), true),
  /** Whether the file says something; otherwise the default holds. */
  isSet: v.optional(v.boolean(), false),
  /** Written, but not yet what the program runs with. */
  pending: v.optional(v.boolean(), false),
  /** The variable of the environment that decides it at this moment. */
  byEnvironment: v.optional(v.boolean(), false),
  variable: word,
  problem: word,
});
export const SettingsSchema = v.object({
  settings: v.array(Setting),
  warnings: v.optional(
    v.array(
      v.pipe(
        v.union([v.string(), v.object({ words: v.string() }), v.object({ message: v.string() })]),
        v.transform((warning) => (typeof warning === 'string' ? warning : 'words' in warning ? warning.words : warning.message)),
      ),
    ),
    [],
  ),
});
export type Setting = v.InferOutput<typeof Setting>;
export type Settings = v.InferOutput<typeof SettingsSchema>;

/** A picture, and where the page finds it; null when it is imported. */
const Asset = v.object({ path: v.string(), address: v.nullable(v.string()) });
export type Asset = v.InferOutput<typeof Asset>;
export const AssetsSchema = v.object({ assets: v.array(Asset), folders: v.optional(v.array(v.string()), ['public']) });
/** The pictures, and the folders that one can be added to. */
export type Assets = v.InferOutput<typeof AssetsSchema>;
export const AddedAssetSchema = v.object({ ...Asset.entries, editId: v.nullable(v.union([v.string(), v.pipe(v.number(), v.transform(String))])) });

export const FileSchema = v.object({ path: v.string(), text: v.string(), hash: v.string() });
export type FileText = v.InferOutput<typeof FileSchema>;
export const SavedSchema = v.object({ hash: v.string() });
export const NoteSchema = v.object({ text: v.string(), hash: v.optional(v.nullable(v.string()), null) });
export type Note = v.InferOutput<typeof NoteSchema>;
export const NotesSchema = v.object({
  notes: v.array(v.pipe(v.union([v.string(), v.object({ name: v.string() })]), v.transform((note) => (typeof note === 'string' ? note : note.name)))),
});
