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

declare module 'galley:jobs/types@1.0.0' {
  export interface Job {
    name(): string;
    due(): bigint;
  }
}

declare module 'galley:config/config@1.0.0' {
  export function get(key: string): string | undefined;
  export function hasSecret(key: string): boolean;

  const config: { get: typeof get; hasSecret: typeof hasSecret } | undefined;
  export default config;
}

declare module 'galley:outbound/outbound@1.1.0' {
  export interface Request {
    credential: string;
    method: string;
    path: string;
    headers: [string, string][];
    body: Uint8Array;
  }

  export interface Response {
    status: number;
    headers: [string, string][];
    body: Uint8Array;
  }

  export type Outcome = { tag: 'ok'; val: Response } | { tag: 'err'; val: { code: string; message: string } };

  export function fetch(request: Request): Response;
  export function fetchAll(requests: Request[]): Outcome[];

  const outbound: { fetch: typeof fetch; fetchAll: typeof fetchAll } | undefined;
  export default outbound;
}
