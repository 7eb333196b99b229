import { z } from 'zod';
import { ENDPOINTS, MISBEHAVIOURS, type Misbehaviour } from '../vendor-api/index.ts';
import type { Act } from './wire.ts';

const text = z.string().max(20_000);
const copy = z.object({ channel: text, ts: text, edits: z.number().int() });
const MOST_AT_ONCE_MS = 366 * 86_400_000;
const inView = { view: text, block: text, action: text };
const value = z.looseObject({ type: text });
const amount = z.string().regex(/^-?\d{1,12}(\.\d{1,6})?$/);
/** Fields besides the name go to the local vendor as they are; it reads only those it knows. */
const misbehaviour = z
  .looseObject({ name: text })
  .refine((given): given is Misbehaviour & typeof given => Object.hasOwn(MISBEHAVIOURS, given.name));

const schema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('command'), user: text, channel: text, command: text, text }),
  z.object({ do: z.literal('say'), user: text, channel: text, text, threadTs: text.optional() }),
  z.object({ do: z.literal('enter'), ...inView, value }),
  z.object({ do: z.literal('act'), ...inView, value: value.optional() }),
  z.object({ do: z.literal('suggest'), ...inView, query: text }),
  z.object({
    do: z.literal('act_on_message'),
    user: text,
    on: copy,
    block: text,
    action: text,
    value: value.optional(),
  }),
  z.object({ do: z.literal('open_app'), user: text, tab: z.enum(['home', 'messages']) }),
  z.object({ do: z.literal('shortcut'), user: text, callbackId: text, on: copy.optional() }),
  z.object({ do: z.literal('put_forward'), ms: z.number().int().positive().max(MOST_AT_ONCE_MS) }),
  z.object({ do: z.literal('submit'), view: text }),
  z.object({ do: z.literal('close'), user: text, all: z.boolean() }),
  z.object({ do: z.literal('vendor_set'), balance: amount.optional(), pricePerIp: amount.optional() }),
  z.object({
    do: z.literal('vendor_console'),
    what: z.enum(['buy', 'top_up']),
    amount: z.string().regex(/^\d{1,12}(\.\d{1,6})?$/),
  }),
  z.object({ do: z.literal('vendor_next'), endpoint: z.enum(ENDPOINTS), misbehaviour }),
  z.object({ do: z.literal('vendor_behave') }),
  z.object({ do: z.literal('vendor_release') }),
  z.object({ do: z.literal('bot_restart'), how: z.enum(['stop', 'crash']) }),
]);

export function readAct(input: unknown): { ok: true; act: Act } | { ok: false; error: string } {
  const parsed = schema.safeParse(input);
  return parsed.success ? { ok: true, act: parsed.data } : { ok: false, error: z.prettifyError(parsed.error) };
}
