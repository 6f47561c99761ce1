/** Twenty restores under load, and two hundred that are killed. */
import { proveRestores } from './restores.ts';

proveRestores(20, 200);
