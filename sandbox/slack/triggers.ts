import { type Core, Refused, violate } from './core.ts';
import type { Trigger } from './types.ts';

/** A trigger_id can be exchanged once, within 3 s. */
const TRIGGER_LIFE_MS = 3_000;

export function issueTrigger(core: Core, user: string, viewId: string | null): string {
  const id = `${core.ids.next('')}.${core.ids.random(6)}.${core.ids.random(16)}`;
  core.state.triggers[id] = { id, user, at: core.now(), used: false, viewId };
  return id;
}

/** Marks it used; refused triggers are recorded, since the person sees nothing happen. */
export function exchangeTrigger(core: Core, id: unknown, where: string): Trigger {
  const trigger = typeof id === 'string' ? core.state.triggers[id] : undefined;
  const code = !trigger
    ? 'invalid_trigger_id'
    : trigger.used
      ? 'exchanged_trigger_id'
      : core.now() - trigger.at > TRIGGER_LIFE_MS
        ? 'expired_trigger_id'
        : null;
  if (!trigger || code) {
    violate(core, code ?? 'invalid_trigger_id', where, id);
    throw new Refused(code ?? 'invalid_trigger_id');
  }
  trigger.used = true;
  return trigger;
}
