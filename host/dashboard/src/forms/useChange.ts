import { useMutation, useQueryClient } from '@tanstack/react-query';
import { say } from '../shell/toasts.tsx';

/** A change of something shown: says what was done, and reads again what `keys` name. A refusal is left to the form, which keeps what was typed. */
export function useChange<Given, Answer>(act: (given: Given) => Promise<Answer>, keys: readonly string[], done?: (answer: Answer, given: Given) => string | void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer, given) => {
      const words = done?.(answer, given);
      if (words) say(words);
      await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
}

/** What shows a project. */
export const PROJECT_KEYS = ['project', 'projects', 'readers', 'members'];
