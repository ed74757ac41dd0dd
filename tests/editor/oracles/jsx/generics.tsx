import { Component, type ReactNode } from 'react';

function logged<T extends new (...args: any[]) => object>(value: T, _context: unknown): T {
  return value;
}

@logged
export class Table<Row extends { id: string }> extends Component<{ rows: Row[] }> {
  static readonly columns = <const T,>(all: T) => all;

  override render(): ReactNode {
    const pick = <T,>(value: T): T => value;
    return (
      <table<Row> data-size={pick<number>(3)}>
        <tbody>{this.props.rows.map((row) => <Line<Row> key={row.id} of={row} />)}</tbody>
      </table>
    );
  }
}

function Line<Row extends { id: string }>({ of }: { of: Row }) {
  return <tr><td>{of.id satisfies string}</td></tr>;
}
