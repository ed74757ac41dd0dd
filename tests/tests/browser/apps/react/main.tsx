import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import photo from './photo.png';
import './app.css';

const About = lazy(() => import('./About'));

// Below a path the page has a base; at the root of an origin it has none.
const basename = document.querySelector('base') ? new URL(document.baseURI).pathname.replace(/\/$/, '') : '';

function Home() {
  return (
    <section data-page="home">
      <h1>Home</h1>
      <img src={photo} alt="imported" />
      <img src={`${import.meta.env.BASE_URL}badge.svg`} alt="public" />
    </section>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <BrowserRouter basename={basename}>
      <nav>
        <Link data-to="home" to="/">Home</Link> <Link data-to="about" to="/about">About</Link>
      </nav>
      <main>
        <Suspense fallback={<p>Loading</p>}>
          <Routes>
            <Route path="/" element={<Home />} />
            <Route path="/about" element={<About />} />
          </Routes>
        </Suspense>
      </main>
    </BrowserRouter>
  </StrictMode>,
);
