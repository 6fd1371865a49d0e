/** For tests of drivers, yours included: a scripted peer, an access to it, and the conformance suite. */
export { driverConformance, type ConformanceCase, type ConformanceCheck } from './conformance.ts';
export {
  PeerConnection,
  scriptedPeer,
  type PeerScript,
  type ScriptedPeer,
  type ScriptedPeerOptions,
} from './scripted-peer.ts';
export { testAccess, type TestAccess, type TestAccessOptions } from './test-access.ts';
