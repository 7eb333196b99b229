export { type Config, type ConfigReading, policyFile, readConfig, readDatabaseConfig } from './config/environment.ts';
export { type PolicyReading, readPolicy } from './config/policy.ts';
export type { Problem } from './config/problem.ts';
