/** The short form of the long proof of restores. */
import { proveRestores } from './restores.ts';

proveRestores(1, 5);
