/** The chart library, copied here by `npm run build` so that only administrators are served it. */
export { default } from 'uplot';
