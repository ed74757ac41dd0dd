import { Counter } from './counter';

export default function Home() {
  return (
    <main>
      <h1>Get started</h1>
      <Counter />
    </main>
  );
}
