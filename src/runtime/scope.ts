import { AsyncLocalStorage } from 'node:async_hooks';

const scopes = new AsyncLocalStorage<object>();

/** Adds these fields to every line that is logged during `work`. */
export function inScope<T>(fields: object, work: () => T): T {
  return scopes.run({ ...scopes.getStore(), ...fields }, work);
}

export function scopeFields(): object {
  return scopes.getStore() ?? {};
}
