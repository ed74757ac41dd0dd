import { useQuery, useQueryClient } from '@tanstack/react-query';
import { State } from '@kit/State.tsx';
import { Plus, Search } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react';
import { asApiError } from '../api/error.ts';
import { commentsSummaryQuery, deploymentsSummaryQuery, projectsQuery, type Project } from '../api/projects.ts';
import { meQuery, slotState, uiQuery } from '../api/ui.ts';
import { SlotFailed } from '../shell/Slot.tsx';
import { Awaited } from '../shell/states.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { projectsWords as words } from '../words.ts';
import { Card, type Has } from './Card.tsx';
import { FirstUse } from './FirstUse.tsx';
import { listed, matching, sorted, SORTS, type Sort } from './model.ts';
import './projects.css';

const CreateProject = lazy(() => import('./CreateProject.tsx'));

const SORT_KEY = 'galley-projects-sort';

/** `/`: the projects the reader may see. */
export function Projects() {
  useTitle(words.title);
  const projects = useQuery(projectsQuery);
  const { data: me } = useQuery(meQuery);
  const { data: ui } = useQuery(uiQuery);
  const [creating, setCreating] = useState(false);
  const mayCreate = me?.user?.role === 'editor' || me?.user?.role === 'admin';
  const create = (): void => setCreating(true);
  return (
    <>
      <div className="page-head">
        <h1 className="page-title">{words.title}</h1>
        {mayCreate && projects.data?.length !== 0 && (
          <button type="button" className="button primary" onClick={create}>
            <Plus size={15} aria-hidden />
            {words.create}
          </button>
        )}
      </div>
      <Awaited of={projects} loading={words.loading}>
        {(found) => (found.length === 0 ? <FirstUse publicUrl={ui?.publicUrl ?? location.origin} mayCreate={mayCreate} onCreate={create} /> : <List projects={found} />)}
      </Awaited>
      {creating && (
        <Suspense>
          <CreateProject publicLinks={ui?.settings.allowPublicLinks ?? false} hasDeployments={slotState(ui, 'deployments') !== 'absent'} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

function List({ projects }: { projects: readonly Project[] }) {
  const client = useQueryClient();
  const { data: ui } = useQuery(uiQuery);
  const slots = { comments: slotState(ui, 'comments'), deployments: slotState(ui, 'deployments') };
  const comments = useQuery({ ...commentsSummaryQuery, enabled: slots.comments === 'ready' });
  const deployments = useQuery({ ...deploymentsSummaryQuery, enabled: slots.deployments === 'ready' });
  const [search, setSearch] = useState('');
  const [sort, setSort] = useSort();
  const all = useMemo(() => projects.map((project) => listed(project, comments.data?.[project.id], deployments.data?.[project.id])), [projects, comments.data, deployments.data]);
  // A field that is typed in goes first, a long list after it.
  const searched = useDeferredValue(search);
  const shown = useMemo(() => sorted(matching(all, searched), sort), [all, searched, sort]);
  const has: Has = { comments: slots.comments === 'ready' && comments.data !== undefined, deployments: slots.deployments === 'ready', isolated: ui?.serving === 'own-origin' };
  const uploaded = (): void => {
    for (const queryKey of [['projects'], ['deployments', 'summary']]) void client.invalidateQueries({ queryKey });
  };
  return (
    <>
      <div className="toolbar">
        <label className="search">
          <Search size={15} aria-hidden />
          <input className="input" type="search" value={search} placeholder={words.search} aria-label={words.search} onChange={({ target }) => setSearch(target.value)} />
        </label>
        <span className="found" role="status">
          {words.found(shown.length, all.length)}
        </span>
        <label className="sort">
          <span>{words.sort}</span>
          <select className="select" value={sort} onChange={({ target }) => setSort(SORTS.find((each) => each === target.value) ?? 'activity')}>
            {SORTS.filter((each) => each !== 'unread' || slots.comments !== 'absent').map((each) => (
              <option key={each} value={each}>
                {words.sorts[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {slots.comments === 'failed' && <SlotFailed slot="comments" />}
      {slots.deployments === 'failed' && <SlotFailed slot="deployments" />}
      {comments.error && !comments.data && <p className="notice bad">{words.noCounts(asApiError(comments.error).reason)}</p>}
      {deployments.error && !deployments.data && <p className="notice bad">{words.noDeployments(asApiError(deployments.error).reason)}</p>}
      {shown.length === 0 ? (
        <State
          title={words.none(searched)}
          actions={
            <button type="button" className="button" onClick={() => setSearch('')}>
              {words.clear}
            </button>
          }
        >
          {words.noneWhy}
        </State>
      ) : (
        <ul className="cards">
          {shown.map((each) => (
            <Card key={each.project.id} of={each} has={has} onUploaded={uploaded} />
          ))}
        </ul>
      )}
    </>
  );
}

/** The order, remembered in this browser. */
function useSort(): [Sort, (sort: Sort) => void] {
  const [sort, setSort] = useState<Sort>(() => {
    try {
      return SORTS.find((each) => each === localStorage.getItem(SORT_KEY)) ?? 'activity';
    } catch {
      return 'activity';
    }
  });
  return [
    sort,
    (next) => {
      setSort(next);
      try {
        localStorage.setItem(SORT_KEY, next);
      } catch {
        // Without storage the choice lasts as long as the page.
      }
    },
  ];
}
