import { useState } from 'react';
import logo from './assets/react.svg';
import styles from './App.module.css';

const SHIRTS = ['Blue shirt', 'Red shirt', 'Green shirt', 'White shirt'];

export default function App() {
  const [count, setCount] = useState(0);
  return (
    <div className={styles.app}>
      <header data-truth="header">
        <img src={logo} alt="Shop" data-truth="logo" />
        <nav><a href="/shirts" data-truth="nav-shirts">Shirts</a><a href="/sale" data-truth="nav-sale">Sale</a><a href="/about" data-truth="nav-about">About us</a></nav>
        <button onClick={() => setCount(count + 1)} data-truth="cart">Cart ({count})</button>
      </header>
      <main>
        <h1 data-truth="title">New shirts this week</h1>
        <p data-truth="intro">All of them are made of organic cotton, and sent within two days.</p>
        <form><label>Search <input name="q" placeholder="Colour or size" data-truth="search" /></label><button type="submit" data-truth="find">Find</button></form>
        <ul>
          {SHIRTS.map((name) => (
            <li key={name} data-truth={`card-${name}`}>
              <h2 data-truth={`name-${name}`}>{name}</h2>
              <p data-truth={`stock-${name}`}>{name.length} left in stock</p>
              <button data-truth={`buy-${name}`}>Buy</button>
            </li>
          ))}
        </ul>
        <section><h2 data-truth="reviews">What people say</h2><blockquote data-truth="quote">It fits, and it lasts.</blockquote><button data-truth="more">More reviews</button></section>
        <aside data-truth="gone">Summer sale: everything half price until Sunday</aside>
      </main>
      <footer><a href="/imprint" data-truth="imprint">Imprint</a><small data-truth="rights">© 2026 Shirts</small></footer>
    </div>
  );
}
