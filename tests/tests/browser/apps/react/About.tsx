import photo from './photo.png';
import './about.css';

export default function About() {
  return (
    <section className="about" data-page="about">
      <h1>About</h1>
      <img src={photo} alt="imported" />
    </section>
  );
}
