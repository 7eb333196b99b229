/**
 * Loaded into the bot's process before the product (`node --import`), which knows nothing of it: the date is ahead of the real
 * one by as much as the sandbox says, at the start and whenever it is put forward. Nothing else is touched: what counts
 * from `performance.now()` goes on steadily, and timers that wait go on waiting, as where somebody sets the clock of a machine.
 */
const AHEAD = 'SANDBOX_CLOCK_AHEAD_MS';

let aheadMs = Number(process.env[AHEAD] ?? 0);
delete process.env[AHEAD];

const RealDate = Date;
const now = () => RealDate.now() + aheadMs;
const ShiftedDate = new Proxy(RealDate, {
  construct: (_, parts: unknown[], made) => Reflect.construct(RealDate, parts.length === 0 ? [now()] : parts, made),
  apply: () => new RealDate(now()).toString(),
  get: (_, name) => (name === 'now' ? now : Reflect.get(RealDate, name)),
});
// Libraries make dates by the constructor of another date.
RealDate.prototype.constructor = ShiftedDate;
globalThis.Date = ShiftedDate;

process.on('message', (message: { aheadMs: number }) => {
  aheadMs = message.aheadMs;
  process.send?.(message);
});
// Listening must not keep the process alive when the product has ended.
process.channel?.unref();
