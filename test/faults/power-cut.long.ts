/** The power fails at many thousand moments: what was said to be done is there. */
import { proveEach } from './power-cut/proof.ts';

proveEach(1500);
