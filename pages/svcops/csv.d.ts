/** Shared with the service, and copied here by `npm run build`. */
export * from '../../lib/csv.ts';
