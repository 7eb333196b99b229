export type { LocalOrder } from './account.ts';
export { startLocalVendor } from './local-vendor.ts';
export { ENDPOINTS, type Endpoint, MISBEHAVIOURS, type Misbehaviour, type MisbehaviourName } from './misbehaviours.ts';
export { closedPort, deafPort, silentPort } from './ports.ts';
export type { LocalVendor, LocalVendorOptions, LocalVendorView } from './types.ts';
