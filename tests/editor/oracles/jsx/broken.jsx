export const broken = <div><span></div>;
