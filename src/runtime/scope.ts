import { AsyncLocalStorage } from 'node:async_hooks';

const scopes = new AsyncLocalStorage<object>();

/** Every line that is logged in the course of `work` carries these fields: who asked, for which purchase, how often Slack delivered it. */
export function inScope<T>(fields: object, work: () => T): T {
  return scopes.run({ ...scopes.getStore(), ...fields }, work);
}

export function scopeFields(): object {
  return scopes.getStore() ?? {};
}
