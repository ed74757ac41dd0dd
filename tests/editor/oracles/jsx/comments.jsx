export default function Odd(/* none */) {
  return ( // here
    <div /* a */ className /* b */ = /* c */ "x" // d
      {/* e */ ...{}}
      title={/* f */ 'g > h' /* i */}
    >
      {/* <b>not an element</b> */}
      {
        // <i>neither</i>
      }
      text // <u>an element, for this is text</u>
      <a.b.c /><x:y/><x-y /><this.z/>
      <></>
      {`<s>${<em>but this</em>}</s>`}
      {/<q>/.test('<p>')}
    </div>
  );
}
