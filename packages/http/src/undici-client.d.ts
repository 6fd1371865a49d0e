/** undici's `Client` alone: its index loads fetch, WebSocket and caches too, which triples the time to load. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
