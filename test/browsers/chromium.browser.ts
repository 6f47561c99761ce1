/** The story in Chromium. */
import { openChromium } from './chromium.ts';
import { tell } from './story.ts';

tell('Chromium', false, openChromium);
