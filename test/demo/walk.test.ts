import { expect, it } from 'vitest';
import { startSlack } from '../../sandbox/slack/index.ts';
import { createTeller, walk } from '../../sandbox/walk.ts';

it('the walk in the terminal goes through the whole journey, and says what each person sees', async () => {
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
    'soonest end first',
  ])
    expect(told).toContain(seen);
  expect(told).toContain('POSTs that the vendor has received so far: 3.');
});

it('what a person is said to see is what is told to that person, not what stands in a channel', async () => {
  const slack = await startSlack({
    people: [{ id: 'U0ADA', name: 'ada', realName: 'Ada Brandt' }],
    channels: [{ id: 'C0APPROVALS', name: 'approvals', members: ['U0ADA'] }],
  });
  const post = (channel: string, text: string) =>
    fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.tokens.bot}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel, text }),
    });
  await post('U0ADA', 'Bought: the receipt');
  await post('C0APPROVALS', 'Bought: the card');
  let told = '';
  const tell = createTeller(slack, (text) => {
    told += text;
  });
  await tell.sees(slack.as('U0ADA'), 'Bought');
  expect(told).toContain('Ada Brandt sees:\n    | Bought: the receipt');
  await slack.close();
});
