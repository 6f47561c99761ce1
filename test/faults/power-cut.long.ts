/** The power fails, or a program is killed, at hundreds of moments of another seed each time. */
import { proveEach } from './power-cut/stories.ts';

proveEach(Math.floor(Math.random() * 1e6), 50);
