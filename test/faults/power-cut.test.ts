/**
 * The power fails at many moments while the server is under load: what it said to be done is there. The
 * long form tries more, and what operators do. Each story is also told with faults, which must lose
 * something: otherwise the proof would show nothing.
 */
import { proveEach } from './power-cut/stories.ts';

proveEach(1, 20, /^the server/);
