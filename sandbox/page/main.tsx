import { render } from 'preact';
import { App } from './app.tsx';
import './css/base.css';
import './css/frame.css';
import './css/messages.css';
import './css/blocks.css';
import './css/modal.css';
import './css/tools.css';
import './css/narrow.css';

const root = document.querySelector('#root');
if (root) render(<App />, root);
