// What handlers answer and what goes wrong.

/** An answer with `status` and `{"error": message}`. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** What the host refused or could not do; `code` is one of those in the interface's documentation. */
export class Problem extends Error {
  /** @param {any} thrown by the host's function */
  constructor(thrown) {
    const problem = thrown?.payload ?? thrown;
    super(`${problem?.code}: ${problem?.message}`);
    this.code = problem?.code;
  }
}

/** An answer that is not JSON, or has headers of its own. */
export class Response {
  /** @param {number} status @param {Uint8Array} body @param {[string, string][]} headers */
  constructor(status, body, headers = [['content-type', 'application/json']]) {
    Object.assign(this, { status, body, headers, tail: undefined });
  }
}

/** Calls the host. @template T @param {() => T} work @returns {T} */
export function asked(work) {
  try {
    return work();
  } catch (error) {
    throw new Problem(error);
  }
}
