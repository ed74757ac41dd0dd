/** Sentences that several forms share. */
export const formWords = {
  save: 'Save',
  saved: 'Saved',
  saving: 'Saving…',
  copy: 'Copy',
  copied: 'Copied',
  doneWithIt: 'I have copied it',
  typeToConfirm: (text: string): string => `Type ${text} to confirm`,
  remove: 'Remove',
  more: 'Show more',
  never: 'never',
  role: 'Role',
  roles: { viewer: 'Viewer', editor: 'Editor', admin: 'Admin' },
  roleHelp: { viewer: 'reads and comments', editor: 'makes and changes projects', admin: 'does everything, and administers the instance' },
  you: 'you',
} as const;
