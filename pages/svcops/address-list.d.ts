/** Shared with the tools, and copied here by `npm run build`. */
export * from '../../lib/address-list.ts';
