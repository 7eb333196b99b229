import { expect, it } from 'vitest';
import { walk } from '../../sandbox/walk.ts';

it('the walk in the terminal goes through the whole journey, and says what each person sees', {
  timeout: 60_000,
}, async () => {
  const written: string[] = [];
  await walk((text) => written.push(text));
  const told = written.join('');
  for (const seen of [
    'Balance: $1,000.00',
    'Approval needed',
    'Bought: ',
    'You are not in a group that may buy proxies',
    'Outcome unknown',
    'Settled as placed by @clara',
    'Renewed: order ',
    'Completed purchases, newest first',
  ])
    expect(told).toContain(seen);
  expect(told).toContain('POSTs that the vendor has received so far: 3.');
});
