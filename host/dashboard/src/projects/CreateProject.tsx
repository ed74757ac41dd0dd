import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Radios } from '@kit/Radios.tsx';
import { Window } from '@kit/Window.tsx';
import { words as kitWords } from '@kit/words.ts';
import { useId, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { asApiError } from '../api/error.ts';
import { createProject, type Access } from '../api/projects.ts';
import { useKept } from '../shell/useKept.ts';
import { projectsWords as words, shellWords } from '../words.ts';
import { slugOf } from './model.ts';

const EVERY_ACCESS: readonly Access[] = ['all-members', 'invited', 'public-link'];

/** Asks for a name and makes the project. What was typed stays through every refusal. */
export default function CreateProject({ publicLinks, hasDeployments, onClose }: { publicLinks: boolean; hasDeployments: boolean; onClose: () => void }) {
  const [, go] = useLocation();
  const client = useQueryClient();
  const form = useId();
  const [typed, setTyped, forget] = useKept('new-project', { name: '', slug: '', access: 'all-members' as Access });
  const slug = typed.slug === '' ? slugOf(typed.name) : typed.slug;
  const making = useMutation({
    mutationFn: () => createProject({ name: typed.name.trim(), slug, access: typed.access }),
    onSuccess: async (project) => {
      forget();
      await client.invalidateQueries({ queryKey: ['projects'] });
      onClose();
      if (hasDeployments) go(`/projects/${project.slug}/deployments`);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.name.trim() !== '' && slug !== '' && !making.isPending) making.mutate();
  };
  const refused = making.error ? asApiError(making.error).reason : null;
  return (
    <Window
      title={words.createTitle}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" onClick={onClose}>
            {kitWords.cancel}
          </button>
          <button type="submit" form={form} className="button primary" disabled={typed.name.trim() === '' || slug === '' || making.isPending}>
            {making.isPending && <span className="spinner" />}
            {words.make}
          </button>
        </>
      }
    >
      <form id={form} className="form" onSubmit={submit}>
        <label>
          {words.name}
          <input className="input" value={typed.name} maxLength={200} autoComplete="off" onChange={({ target }) => setTyped({ ...typed, name: target.value })} />
        </label>
        <label>
          {words.slug}
          <input
            className="input mono"
            value={slug}
            maxLength={63}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby={`${form}-slug`}
            onChange={({ target }) => setTyped({ ...typed, slug: target.value })}
          />
          <span className="help" id={`${form}-slug`}>
            {words.slugHelp}
          </span>
        </label>
        <div className="label">
          {words.access}
          <Radios
            label={words.access}
            value={typed.access}
            options={EVERY_ACCESS.filter((access) => access !== 'public-link' || publicLinks).map((access) => ({ value: access, label: shellWords.access[access], help: words.accessHelp[access] }))}
            onChange={(value) => setTyped({ ...typed, access: EVERY_ACCESS.find((access) => access === value) ?? 'all-members' })}
          />
        </div>
        {refused !== null && (
          <p className="notice bad" role="alert">
            {refused}
          </p>
        )}
      </form>
    </Window>
  );
}
