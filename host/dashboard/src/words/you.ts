export const youWords = {
  title: 'Your account',
} as const;
