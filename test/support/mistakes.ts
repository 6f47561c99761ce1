/** The mistakes in a site's content. */
import { ContentError } from '../../lib/site/field-readers.ts';

/** Reads content. @returns the mistakes that it is refused with, or none */
export function mistakesOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ContentError) return error.mistakes;
    throw error;
  }
}
