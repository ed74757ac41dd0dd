export const deploymentsWords = {
  title: 'Deployments',
} as const;
