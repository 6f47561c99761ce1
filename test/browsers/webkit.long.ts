/** The story in WebKit. */
import { lacks } from '../support/lacks.ts';
import { tell } from './story.ts';
import { findMiniBrowser, openWebKit } from './webkit.ts';

const lacking = !findMiniBrowser() && 'needs webkit2gtk-driver';
tell('WebKit', lacking || lacks('Xvfb'), openWebKit);
