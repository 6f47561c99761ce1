/**
 * The power fails at many moments: what was said to be done is there. The long form tries more. Each
 * story is also told with faults, which must lose something: otherwise the proof would show nothing.
 */
import { proveEach } from './power-cut/stories.ts';

proveEach(1, 20);
