export const texts = (
  <section>
    <h1>Fish &amp; chips &#x1F600; &nbsp;</h1>
    <p>a &gt; b {'}'} {"<b>"} &unknown; 100%</p>
    <p title="line
break" alt='it"s'>{' '}</p>
    {true ? <i>then</i> : <b>else</b>}
    {[1, 2].map((n) => n > 1 && <li key={n}>{n}</li>)}
  </section>
);
