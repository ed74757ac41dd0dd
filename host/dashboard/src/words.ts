/**
 * All sentences of the pages: one object for each area, in a file with one owner. Names, roles and refusals come from the
 * server and are shown as they are.
 */
export * from './words/count.ts';
export * from './words/api.ts';
export * from './words/forms.ts';
export * from './words/shell.ts';
export * from './words/projects.ts';
export * from './words/review.ts';
export * from './words/deployments.ts';
export * from './words/settings.ts';
export * from './words/instance.ts';
export * from './words/you.ts';
export * from './words/parts.ts';
