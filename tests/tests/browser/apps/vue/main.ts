import { createApp } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';
import App from './App.vue';
import Home from './Home.vue';
import './app.css';

// Below a path the page has a base; at the root of an origin it has none.
const base = document.querySelector('base') ? new URL(document.baseURI).pathname : '/';

const router = createRouter({
  history: createWebHistory(base),
  routes: [
    { path: '/', component: Home },
    { path: '/about', component: () => import('./About.vue') },
  ],
});

createApp(App).use(router).mount('#app');
