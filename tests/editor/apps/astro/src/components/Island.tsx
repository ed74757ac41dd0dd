import { useState } from 'react';

export function Island() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <h1>Get started</h1>
      <button type="button" onClick={() => setCount(count + 1)}>
        Count is {count}
      </button>
    </main>
  );
}
