import { useTitle } from '../shell/useTitle.ts';
import { youWords } from '../words.ts';

export default function You() {
  useTitle(youWords.title);
  return <h1 className="page-title">{youWords.title}</h1>;
}
