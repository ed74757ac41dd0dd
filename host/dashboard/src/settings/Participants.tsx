import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { FormEvent } from 'react';
import { addMember, listMembers, removeMember, type ProjectMember, type ProjectSettings } from '../api/settings.ts';
import { Part } from '../forms/Part.tsx';
import { PersonPicker } from '../forms/PersonPicker.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { useKept } from '../shell/useKept.ts';
import { settingsWords } from '../words/settings.ts';

const words = settingsWords.participants;
const KEYS = ['members', 'readers'];

export function Participants({ project }: { project: ProjectSettings }) {
  const members = useQuery({ queryKey: ['members', project.id], queryFn: ({ signal }) => listMembers(project.id, signal) });
  const [typed, setTyped, forget] = useKept(`project:${project.id}:participant`, '');
  const add = useChange((email: string) => addMember(project.id, email), KEYS, ({ displayName }) => (forget(), words.added(displayName)));
  const remove = useChange((member: ProjectMember) => removeMember(project.id, member.userId), KEYS, (_, { displayName }) => words.removed(displayName));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() !== '') add.mutate(typed.trim());
  };
  return (
    <Part title={words.title} help={project.access === 'invited' ? words.help : words.notInForce}>
      <form className="form" onSubmit={submit} aria-label={words.add}>
        <div className="with-button">
          <PersonPicker label={words.pick} value={typed} onChange={setTyped} onPick={({ email }) => (setTyped(email), add.mutate(email))} taken={new Set(members.data?.map(({ userId }) => userId))} nothing={words.notFound} />
          <button type="submit" className="button primary" disabled={typed.trim() === '' || add.isPending}>
            {words.addButton}
          </button>
        </div>
        <Refusal of={add.error} />
      </form>
      <Awaited of={members}>
        {(list) =>
          list.length === 0 ? (
            <p className="list-empty">{words.none}</p>
          ) : (
            <ul className="people">
              {list.map((member) => (
                <li key={member.userId}>
                  <span className="name">{member.displayName}</span>
                  <span className="soft">{member.email ?? ''}</span>
                  <button type="button" className="icon-button" aria-label={words.remove(member.displayName)} title={words.remove(member.displayName)} disabled={remove.isPending} onClick={() => remove.mutate(member)}>
                    <X size={15} aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Awaited>
      <Refusal of={remove.error} />
    </Part>
  );
}
