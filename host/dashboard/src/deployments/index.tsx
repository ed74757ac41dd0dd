/** `/projects/:slug/deployments`: the history, and one deployment with its log. */
import { Route, Switch } from 'wouter';
import type { Project } from '../api/projects.ts';
import '../forms/forms.css';
import { Slot } from '../shell/Slot.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { deploymentWords as words } from '../words/deployments.ts';
import './deployments.css';
import { History } from './History.tsx';
import { OneDeployment } from './OneDeployment.tsx';

export default function Deployments({ project }: { project: Project }) {
  useTitle(words.title, project.name);
  return (
    <Slot slot="deployments" name={words.title}>
      <Switch>
        <Route path="/projects/:slug/deployments/:id">{({ id }) => <OneDeployment key={id} project={project} id={id} />}</Route>
        <Route>
          <History key={project.id} project={project} />
        </Route>
      </Switch>
    </Slot>
  );
}
