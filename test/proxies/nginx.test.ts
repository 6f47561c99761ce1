/** Debian's nginx with the shipped configuration, in front of the built service in production mode. */
import { behavesBehind } from './behaviour.ts';

behavesBehind('nginx');
