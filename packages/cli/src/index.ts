/** The command `retriever` as a function, for whoever wants it inside another program. */
export { run } from './run.ts';
