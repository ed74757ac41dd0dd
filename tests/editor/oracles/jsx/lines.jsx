export const A = () => (
	<p>
		😀 <b>é</b> <i/>
	</p>
);
