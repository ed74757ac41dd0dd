import { defineComponent, ref } from 'vue';
import Card from './Card.vue';

export const Row = (props: { title: string; on?: boolean }, { slots }: { slots: any }) => (
  <li class={['row', { on: props.on }, `size-${props.title}`]} style={{ fontSize: '12px', '--gap': '4px' }}>
    <label for="name" tabindex="0">{props.title}</label>
    <input v-model={title.value} onUpdate:modelValue={save} onClick={save} readonly vShow={props.on} />
    {slots.default?.()}
  </li>
);

const title = ref('');
const save = () => {};

export default defineComponent({
  setup() {
    return () => (
      <main class="page" innerHTML={undefined}>
        <Card v-slots={{ header: () => <h1 class="v">Shapes</h1> }} class="card" onUpdate:modelValue={save}>
          <my-element xlink:href="#a" />
        </Card>
        <svg viewBox="0 0 24 24" stroke-width="2" fill="none">
          <path d="M0 0h24v24H0z" stroke-linecap="round" />
        </svg>
      </main>
    );
  },
});
