/** The chart library, as `npm run build` copies it here: the page loads it from the service's own gated route. */
export { default } from 'uplot';
