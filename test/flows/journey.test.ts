import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, LEAD, openOffice, VIEWER } from '../support/office.ts';
import { askFor, decide, file } from '../support/steps.ts';

describe('the main job', () => {
  it.each(['socket', 'http'] as const)(
    'goes from the modal to approval to exactly one POST to a receipt, over %s',
    async (transport) => {
      const office = await openOffice({ transport });
      const id = await file(office, 'US 10, DE 5');
      expect(office.vendor.posts).toBe(0);

      await decide(office, id, 'Approve');
      const buyer = office.slack.as(BUYER);
      await buyer.waitFor('9007199254740993');

      expect(office.vendor.posts).toBe(1);
      const post = office.vendor.requests.find((request) => request.raw.startsWith('POST '));
      expect(JSON.parse(post?.raw.split('\r\n\r\n')[1] ?? '')).toEqual({
        product_id: 'lt-monthly',
        type: 'long-term',
        network_type: 'residential',
        quantity: 15,
        payment_method: 'balance',
        purchase_geo: {
          allocations: [
            { country_iso: 'US', qty: 10 },
            { country_iso: 'DE', qty: 5 },
          ],
        },
      });
      const [record] = await office.records();
      expect(record?.purchase).toMatchObject({
        state: 'completed',
        requester: BUYER,
        approver: LEAD,
        orderId: '9007199254740993',
      });
      const card = await office.slack
        .as(LEAD)
        .waitFor((screen) =>
          screen.channels['approvals']?.find((m) => office.slack.as(LEAD).read(m).includes('Bought')),
        );
      expect(office.slack.as(LEAD).read(card)).not.toContain('[Approve]');
    },
  );

  it('lets a person buy within the free allowance on their own confirmation', async () => {
    const office = await openOffice();
    const buyer = await askFor(office, 'US 5');
    await buyer.submit('Buy now');
    await buyer.waitFor('9007199254740993');
    expect(office.vendor.posts).toBe(1);
    expect((await office.records())[0]?.purchase).toMatchObject({ state: 'completed', approver: null });
  });

  it('renews an order that it knows, and pays for that order alone', async () => {
    const office = await openOffice({
      approvals: 'approvals: { channel: C0APPROVALS, free_up_to: 5, renewals: false }',
    });
    const buyer = await askFor(office, 'US 2');
    await buyer.submit('Buy now');
    await buyer.waitFor('9007199254740993');
    const other = office.slack.as(BUYER2);
    await other.command('/proxy', 'renew #9007199254740993');
    await other.waitFor('Renew order');
    await other.type('Reason', 'another month');
    await other.submit('Review');
    await other.submit('Renew now');
    await other.waitFor((screen) => screen.dm.some((message) => other.read(message).includes('Renewed: order')));
    const [, renewal] = office.vendor.requests.filter((request) => request.raw.startsWith('POST '));
    expect(renewal?.raw.split('\r\n\r\n')[1]).toBe('{"order_id":9007199254740993,"renew_product_id":"lt-monthly"}');
  });

  it('shows the balance to those who may see it, with the time it was read', async () => {
    const office = await openOffice();
    const viewer = office.slack.as(VIEWER);
    await viewer.command('/proxy', 'Balance');
    await viewer.waitFor('$1,000.00');
  });
});
