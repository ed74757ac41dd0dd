/** The review of one project: a document of its own, with a key for this project alone. */
import { Review } from './review/index.tsx';
import { start } from './shell/start.tsx';
import './style/index.css';

start(<Review slug={decodeURIComponent(location.pathname.split('/')[2] ?? '')} />);
