import { useTitle } from '../shell/useTitle.ts';
import { instanceWords } from '../words.ts';

export default function Instance() {
  useTitle(instanceWords.title);
  return <h1 className="page-title">{instanceWords.title}</h1>;
}
