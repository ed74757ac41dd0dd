/** The app's pages: everything but the review. Each area is loaded when somebody goes there. */
import { Loading } from '@kit/State.tsx';
import { lazy, Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Projects } from './projects/index.tsx';
import { Layout } from './shell/Layout.tsx';
import { comparingAddress } from './shell/compared.ts';
import { ProjectPage } from './shell/ProjectPage.tsx';
import { start } from './shell/start.tsx';
import { Gone, Guarded } from './shell/states.tsx';
import { Tips } from './shell/Tips.tsx';
import './style/index.css';
import { shellWords } from './words.ts';

const Deployments = lazy(() => import('./deployments/index.tsx'));
const Settings = lazy(() => import('./settings/index.tsx'));
const Instance = lazy(() => import('./instance/index.tsx'));
const You = lazy(() => import('./you/index.tsx'));
const PartPage = lazy(() => import('./plugins/PartPage.tsx'));

function App() {
  const [path] = useLocation();
  return (
    <Layout>
      <Guarded at={path}>
        <Suspense fallback={<Loading what={shellWords.loading} />}>
          <Switch>
            <Route path="/">
              <Projects />
            </Route>
            <Route path="/projects/:slug/deployments/*?">{({ slug }) => <ProjectPage slug={slug}>{(project) => <Deployments project={project} />}</ProjectPage>}</Route>
            <Route path="/projects/:slug/compare/:a/:b">{(versions) => <ToComparing {...versions} />}</Route>
            <Route path="/projects/:slug/settings/*?">{({ slug }) => <ProjectPage slug={slug}>{(project) => <Settings project={project} />}</ProjectPage>}</Route>
            <Route path="/projects/:slug/x/*">{({ slug, '*': rest }) => <ProjectPage slug={slug}>{(project) => <PartPage at="project-tab" rest={rest} project={project} />}</ProjectPage>}</Route>
            <Route path="/x/*">{({ '*': rest }) => <PartPage at="page" rest={rest} />}</Route>
            <Route path="/instance/*?">
              <Instance />
            </Route>
            <Route path="/you/*?">
              <You />
            </Route>
            <Route>
              <Gone title={shellWords.unknownPage}>{shellWords.unknownPageWhy}</Gone>
            </Route>
          </Switch>
        </Suspense>
      </Guarded>
    </Layout>
  );
}

function ToComparing({ slug, a, b }: { slug: string; a: string; b: string }) {
  useEffect(() => location.replace(comparingAddress(slug, a, b)), [slug, a, b]);
  return <Loading what={shellWords.loading} />;
}

start(
  <Tips>
    <App />
  </Tips>,
);
