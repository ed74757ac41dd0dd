export const Shapes = ({ items, open }: { items: string[]; open: boolean }) => (
  <>
    <svg viewBox="0 0 24 24" strokeWidth={2} xmlnsXlink="http://www.w3.org/1999/xlink">
      <defs>
        <linearGradient id="g"><stop offset="0" stopColor="#f00" /></linearGradient>
        <clipPath id="c"><circle cx={12} cy={12} r="8" /></clipPath>
      </defs>
      <g fill="url(#g)" clipPath="url(#c)"><path d="M0 0h24" /><use xlinkHref="#g" /></g>
      <text x="1" y="2">Label <tspan dy="1em">below</tspan></text>
      <foreignObject width="10" height="10"><p>inside</p></foreignObject>
    </svg>
    <form acceptCharset="utf-8" noValidate>
      <fieldset disabled={!open}>
        <legend>Who</legend>
        <label htmlFor="name">Name<input
          id="name"
          required
          defaultValue="x"
        /></label>
        <textarea defaultValue={`two
lines`} rows={3}></textarea>
        <select multiple defaultValue={['a']}>
          <optgroup label="Some">
            {items.map((item) => <option key={item} value={item}>{item}</option>)}
          </optgroup>
          <hr />
        </select>
        <datalist id="all"><option value="a" /></datalist>
        <progress value={1} max="2" /><meter value=".5"></meter><output></output>
      </fieldset>
    </form>
    <table><colgroup><col span={2} /></colgroup><tbody><tr><td></td><th scope="row" /></tr></tbody></table>
    <video controls><source src="a.webm" /><track default /></video><canvas /><iframe srcDoc="<p>a</p>" />
    <dl><dt>a</dt><dd /></dl><ul></ul><template></template><style>{`.a { @media (width > 1px) { color: red } }`}</style>
  </>
);
