import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteProject, type ProjectSettings } from '../api/settings.ts';
import { Part } from '../forms/Part.tsx';
import { Confirm } from '../forms/Confirm.tsx';
import { useChange } from '../forms/useChange.ts';
import { settingsWords } from '../words/settings.ts';

const words = settingsWords.danger;

/** Deleting the project. The slug has to be typed first. */
export function Danger({ project }: { project: ProjectSettings }) {
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const remove = useChange(
    () => deleteProject(project.id),
    ['projects', 'summary'],
    () => {
      navigate('/');
      return words.deleted(project.name);
    },
  );
  return (
    <Part
      title={words.title}
      help={words.help}
      tone="danger"
      action={
        <button type="button" className="button danger" onClick={() => setAsking(true)}>
          {words.button}
        </button>
      }
    >
      {isAsking && (
        <Confirm title={words.confirm(project.name)} action={words.now} typed={project.slug} isBusy={remove.isPending} error={remove.error} onConfirm={() => remove.mutate(undefined)} onClose={() => setAsking(false)}>
          {words.help}
        </Confirm>
      )}
    </Part>
  );
}
