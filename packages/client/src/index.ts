/** Runs drivers: policy, dialling, session pool, layers, trace. */
export { createClient, type Client, type ClientOptions, type RetrieveOptions, type Timeouts } from './client.ts';
export type { Handler, Layer, LayerRequest, Retrieved } from './layer.ts';
export { withBody, withEntries } from './layer.ts';
export { follow, type FollowOptions } from './layers/follow.ts';
export { gateway, type Gateways } from './layers/gateway.ts';
export { limit, type LimitOptions } from './layers/limit.ts';
export { minimumRate, type MinimumRateOptions } from './layers/minimum-rate.ts';
export { progress, type Progress } from './layers/progress.ts';
export { retry, type RetryOptions } from './layers/retry.ts';
export { throttle, type ThrottleOptions } from './layers/throttle.ts';
export {
  standardPolicy,
  type AddressQuestion,
  type ConnectionQuestion,
  type Policy,
  type StandardPolicyOptions,
  type UrlQuestion,
  type Verdict,
} from './policy.ts';
export type { CredentialsSource } from './scope.ts';
export type { SessionPoolOptions } from './session-pool.ts';
export type { Lookup } from './dialler.ts';
export { traceChannelName, type TraceRecord } from './trace.ts';
