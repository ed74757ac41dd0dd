import icon from './icon.svg?url';
import { shellWords } from '../words.ts';

/** The way home, with a full load: it works from the review too. */
export function Brand() {
  return (
    <a className="brand" href="/" aria-label={shellWords.product}>
      <img src={icon} width={22} height={22} alt="" />
      <span>{shellWords.product}</span>
    </a>
  );
}
