export const instanceWords = {
  title: 'Administration',
} as const;
