import styles from './shop.module.css';

export default function Shirt() {
  return (
    <>
      <h1>Blue linen shirt</h1>
      <section className={styles.offer}>
        <p>Moved: now 20 % off</p>
        <div>
          <button className={styles.large}>Buy now</button>
        </div>
      </section>
      <p>Light, and cool on a hot day.</p>
    </>
  );
}
