/**
 * `/projects/:slug/compare/:a/:b`: two versions side by side. A part of the review's document, because a framed prototype
 * may share this page's origin and must find no more than the review's key there.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowLeftRight } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { Deployment } from '../../api/deployments.ts';
import { projectQuery, type Project } from '../../api/projects.ts';
import { uiQuery, type Ui } from '../../api/ui.ts';
import '../../forms/forms.css';
import { frameOrigin } from '../../review/model/pages.ts';
import { Awaited } from '../../shell/states.tsx';
import { useTitle } from '../../shell/useTitle.ts';
import { compareWords as words, deploymentWords } from '../../words/deployments.ts';
import { compareAddress, nameOf, openAddress } from '../facts.ts';
import { historyQuery } from '../queries.ts';
import './compare.css';
import type { Side } from './scrolling.ts';
import { useTogether } from './useTogether.ts';

export default function Compare({ slug, a, b }: { slug: string; a: string; b: string }) {
  const project = useQuery(projectQuery(slug));
  const ui = useQuery(uiQuery);
  return <Awaited of={project}>{(found) => <Awaited of={ui}>{({ serving }) => <Two project={found} serving={serving} first={a} second={b} />}</Awaited>}</Awaited>;
}

function Two({ project, serving, first, second }: { project: Project; serving: Ui['serving']; first: string; second: string }) {
  const [[a, b], setShown] = useState<[string, string]>([first, second]);
  /** Where a frame begins that is loaded, and how often both were. */
  const [{ path, round }, setStart] = useState({ path: '/', round: 0 });
  const [typed, setTyped] = useState('/');
  const [isTogether, setTogether] = useState(true);
  const [side, setSide] = useState<'left' | 'right'>('left');
  const history = useInfiniteQuery(historyQuery(project.id));
  const all = history.data?.pages.flatMap(({ deployments }) => deployments).filter(({ status }) => status === 'ready') ?? [];
  const tie = useTogether(isTogether);
  useTitle(words.title, project.name);

  const show = (next: [string, string]): void => {
    setShown(next);
    window.history.replaceState(null, '', compareAddress(project.slug, ...next));
  };
  const go = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = typed.startsWith('/') ? typed : `/${typed}`;
    setTyped(wanted);
    const isThere = tie.go(wanted);
    setStart({ path: wanted, round: isThere ? round : round + 1 });
  };
  const frame = (at: Side, id: string) => (
    <Frame key={`${id} ${round}`} id={id} path={path} title={words.frame(named(all, id))} onLoad={(element) => tie.loaded(at, element, frameOrigin(serving, project.url, id))} onLeave={() => tie.left(at)} />
  );
  return (
    <div className="compare">
      <header className="compare-head">
        <a className="icon-button" href={`/projects/${project.slug}/deployments`} aria-label={deploymentWords.back} title={deploymentWords.back}>
          <ArrowLeft size={16} aria-hidden />
        </a>
        <h1 className="compare-title">{project.name}</h1>
        <form onSubmit={go} className="compare-path">
          <input className="input mono" aria-label={words.path} value={typed} onChange={(event) => setTyped(event.target.value)} spellCheck={false} />
        </form>
        <label className="check">
          <input type="checkbox" checked={isTogether} onChange={(event) => setTogether(event.target.checked)} />
          {words.together}
        </label>
        <button type="button" className="icon-button" aria-label={words.swap} title={words.swap} onClick={() => show([b, a])}>
          <ArrowLeftRight size={16} aria-hidden />
        </button>
        <div className="segments narrow-only" role="group" aria-label={words.title}>
          {(['left', 'right'] as const).map((each) => (
            <button key={each} type="button" className="segment" aria-pressed={side === each} onClick={() => setSide(each)}>
              {words[each]}
            </button>
          ))}
        </div>
      </header>
      <div className={`compare-sides ${side}`}>
        <section aria-label={words.left}>
          <Version label={words.choose(words.left)} all={all} id={a} onChange={(id) => show([id, b])} />
          {frame(0, a)}
        </section>
        <section aria-label={words.right}>
          <Version label={words.choose(words.right)} all={all} id={b} onChange={(id) => show([a, id])} />
          {frame(1, b)}
        </section>
      </div>
    </div>
  );
}

/** A version, from the page that was wanted when it was loaded: what is wanted later is asked of the page in it. */
function Frame({ id, path, title, onLoad, onLeave }: { id: string; path: string; title: string; onLoad: (frame: HTMLIFrameElement) => void; onLeave: () => void }) {
  const [address] = useState(() => openAddress(id, path));
  const leave = useRef(onLeave);
  useEffect(() => () => leave.current(), []);
  return <iframe className="compare-frame" title={title} src={address} onLoad={({ currentTarget }) => onLoad(currentTarget)} />;
}

function named(all: readonly Deployment[], id: string): string {
  const found = all.find(({ deploymentId }) => deploymentId === id);
  return found ? nameOf(found) : id.slice(0, 8);
}

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

function Version({ label, all, id, onChange }: { label: string; all: readonly Deployment[]; id: string; onChange: (id: string) => void }) {
  const isKnown = all.some(({ deploymentId }) => deploymentId === id);
  return (
    <select className="select" aria-label={label} value={id} onChange={(event) => onChange(event.target.value)}>
      {!isKnown && <option value={id}>{id.slice(0, 8)}</option>}
      {all.map((deployment) => (
        <option key={deployment.deploymentId} value={deployment.deploymentId}>
          {[nameOf(deployment), deployment.active ? deploymentWords.live : '', DATE.format(Date.parse(deployment.createdAt)), deployment.createdByName ?? ''].filter((part) => part !== '').join(' · ')}
        </option>
      ))}
    </select>
  );
}
