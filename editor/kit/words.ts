/** The few sentences of the shared parts. */
export const words = {
  again: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  people: 'People of the project',
  invited: 'invited',
  mentionHint: '@ mentions somebody of the project',
  noPeople: 'Nobody can be mentioned now',
} as const;
