/** The frame that tables share. On a narrow page each row is a block of its own, and only screen readers hear the columns. */
import type { ReactNode } from 'react';

/** What the columns are called, in their order; what can be done with a row stands last. */
export type Columns = { readonly [column: string]: string } & { readonly actions: string };

export function Table({ columns: { actions, ...named }, className = '', children }: { columns: Columns; className?: string; children: ReactNode }) {
  return (
    <table className={`table blocks ${className}`}>
      <thead>
        <tr>
          {Object.entries(named).map(([column, name]) => (
            <th key={column} scope="col">
              {name}
            </th>
          ))}
          <th scope="col" className="end">
            <span className="hidden">{actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
