import { pictureAddress } from '../../api/canvas.ts';
import { known } from '../../api/result.ts';
import { shotsOf } from '../../model/canvas.ts';
import { useModel } from '../../react/use.ts';
import { State } from '@kit/State.tsx';
import { messages } from '../../messages.ts';
import { BoardTools } from './BoardTools.tsx';
import { Desk } from './Desk.tsx';
import { Figure, Sheet } from './Sheet.tsx';

/** The pages as they are now, a row for each page and scheme. */
export function PagesView() {
  const board = useModel((model) => model.board);
  const missing = useModel((model) => known(model.plans)?.browser ?? null);
  const shots = shotsOf(board);
  const rows = board.pages.flatMap((page) => board.schemes.map((scheme) => shots.filter((shot) => shot.page === page && shot.scheme === scheme)));
  return (
    <>
      <BoardTools />
      {missing !== null ? (
        <State title={messages.noPictures}>{missing}</State>
      ) : (
        <Desk rows={rows.map((row) => row.map(({ width }) => width))}>
          {(scale) =>
            rows.filter((row) => row.length > 0).map((row) => (
              <div className="row" key={`${row[0]?.page} ${row[0]?.scheme}`}>
                {row.map((shot) => (
                  <Figure key={shot.width} shot={shot}>
                    <Sheet shot={shot} name={messages.shotName(shot)} address={pictureAddress(shot)} again={board.taken} scale={scale} waiting={messages.takingPicture} />
                  </Figure>
                ))}
              </div>
            ))
          }
        </Desk>
      )}
    </>
  );
}
