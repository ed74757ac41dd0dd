import { useState } from 'react';
import logo from './assets/react.svg';
import styles from './App.module.css';

const SHIRTS = ['Yellow shirt', 'Red shirt', 'Blue shirt', 'Green shirt', 'White shirt', 'Black shirt'];

export default function App() {
  const [count, setCount] = useState(0);
  return (
    <div className={styles.app}>
      <div className={styles.banner}>Free returns for 30 days</div>
      <header data-truth="header">
        <div><img src={logo} alt="Shop" data-truth="logo" /><button data-truth="more">More reviews</button></div>
        <nav><ul><li><a href="/shirts" data-truth="nav-shirts">Shirts</a></li><li><a href="/trousers">Trousers</a></li><li><a href="/about" data-truth="nav-about">About us</a></li><li><a href="/sale" data-truth="nav-sale">Sale</a></li></ul></nav>
        <div className={styles.account}><button>Sign in</button><button onClick={() => setCount(count + 1)} data-truth="cart">Cart ({count})</button></div>
      </header>
      <main>
        <div className={styles.hero}>
          <h1 data-truth="title">New shirts this month</h1>
          <p data-truth="intro">All of them are made of organic cotton, and sent within three days.</p>
        </div>
        <form><label>Search <input name="q" placeholder="Colour, size or name" data-truth="search" /></label><button type="submit" data-truth="find">Find it</button></form>
        <div className={styles.grid}>
          {SHIRTS.map((name) => (
            <article key={name} data-truth={`card-${name}`}>
              <h3 data-truth={`name-${name}`}>{name}</h3>
              <div><p data-truth={`stock-${name}`}>{name.length} left in stock</p><button data-truth={`buy-${name}`}>Buy</button><button>Remember</button></div>
            </article>
          ))}
        </div>
        <section><h2 data-truth="reviews">What people say</h2><blockquote data-truth="quote">It fits, and it lasts.</blockquote></section>
      </main>
      <footer><a href="/privacy">Privacy</a><a href="/imprint" data-truth="imprint">Imprint</a><small data-truth="rights">© 2026 Shirts Ltd</small></footer>
    </div>
  );
}
