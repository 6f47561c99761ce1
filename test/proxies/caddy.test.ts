/** Debian's Caddy with the shipped configuration, in front of the built service in production mode. */
import { behavesBehind } from './behaviour.ts';

behavesBehind('caddy');
