export const projectsWords = {
  title: 'Projects',
} as const;
