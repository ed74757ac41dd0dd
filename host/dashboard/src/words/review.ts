export const reviewWords = {
  title: 'Review',
} as const;
