export default function Shirt() {
  return (
    <>
      <h1>Blue linen shirt</h1>
      <p>Sold out</p>
      <p>Light, and cool on a hot day.</p>
    </>
  );
}
