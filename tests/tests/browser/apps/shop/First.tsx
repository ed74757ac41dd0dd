import styles from './shop.module.css';

export default function Shirt() {
  return (
    <>
      <h1>Blue linen shirt</h1>
      <p>Light, and cool on a hot day.</p>
      <button className={styles.buy}>Buy now</button>
    </>
  );
}
