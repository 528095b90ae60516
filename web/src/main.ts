import { mount } from 'svelte';

import App from './app/App.svelte';
import './app/app.css';
import { applySettings } from './app/settings.svelte';

const target = document.getElementById('page');
if (target === null) throw new Error('the page has no place to go');
applySettings();
mount(App, { target });
