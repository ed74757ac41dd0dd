import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import Shirt from './Shirt';
import styles from './shop.module.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <header className={styles.bar}>
      <a href="#men">Men</a> <a href="#women">Women</a> <a href="#sale">Sale</a>
    </header>
    <main className={styles.page}>
      <Shirt />
      <h2>People also bought</h2>
      <ul>
        {['Canvas belt', 'Linen trousers', 'Straw hat'].map((name) => (
          <li key={name}>
            {name} <button className={styles.small}>Add to basket</button>
          </li>
        ))}
      </ul>
    </main>
    <footer className={styles.bar}>Woven in Porto since 1952</footer>
  </StrictMode>,
);
