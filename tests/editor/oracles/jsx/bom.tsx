export const B = <p title="😀">bom <b/></p>;
