export const partWords = {
  comments: 'Comments',
  panels: 'Parts of the panel',
  notPermitted: (method: string, path: string): string => `This part of the page may not ask for ${method} ${path}: it is neither a route of its own plugin nor one that was approved.`,
  tooLarge: 'The body is larger than 1 MiB.',
  tooMany: 'Too many requests at the same time: wait for some of them.',
  says: (title: string, text: string): string => `${title}: ${text}`,
  silent: (title: string, slot: string): string => `“${title}” does not answer. It is a part that the plugin “${slot}” brings; everything else works.`,
  noPage: 'There is no such page of a plugin',
  noPageWhy: 'Perhaps its plugin was switched off or replaced.',
} as const;
