// The host's side, as far as galley.js uses it. The names are those of the contract in wit/, as JavaScript spells them.

declare module 'galley:http/types@1.0.0' {
  export interface Caller {
    kind: string;
    userId?: string;
    email?: string;
    name?: string;
    role?: string;
    canWrite: boolean;
  }

  export interface Request {
    id(): string;
    route(): number;
    method(): string;
    path(): string;
    params(): string[];
    query(): string;
    header(name: string): string | undefined;
    caller(): Caller;
    project(): string | undefined;
    takeBody(): Uint8Array;
  }
}

declare module 'galley:sql/sql@1.0.0' {
  export type Value =
    | { tag: 'null' }
    | { tag: 'integer'; val: bigint }
    | { tag: 'real'; val: number }
    | { tag: 'text'; val: string }
    | { tag: 'blob'; val: Uint8Array };

  export interface Step {
    sql: string;
    params: Value[];
    expectChanges: bigint | undefined;
  }

  export function query(sql: string, params: Value[]): Uint8Array;
  export function execute(sql: string, params: Value[]): bigint;
  export function batch(steps: Step[], publish: { topic: string; data: string }[]): Uint8Array[];
}

declare module 'galley:sql/sql@0.1.0' {
  const sql: typeof import('galley:sql/sql@1.0.0');
  export default sql;
}
