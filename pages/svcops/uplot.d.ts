/** The chart library, which `npm run build` copies here so that the service serves it to administrators. */
export { default } from 'uplot';
