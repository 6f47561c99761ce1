/** The story in Firefox. */
import { lacks } from '../support/lacks.ts';
import { openFirefox } from './firefox.ts';
import { tell } from './story.ts';

tell('Firefox', lacks('firefox-esr'), openFirefox);
