import { describe, expect, it } from 'vitest';
import { policyDigest, shortDigest } from '../../src/purchasing/model/policy-digest.ts';
import { BUYER, LEAD, LEAD2, openOffice, policyOf } from '../support/office.ts';
import { approved, command, decide, file, hears, privately, reaches, until } from '../support/steps.ts';

describe('/proxy status', () => {
  it('tells those who approve how the bot stands, and says so to nobody else', async () => {
    const office = await openOffice();
    await file(office, 'US 10');
    office.vendor.next('create', { name: 'html' });
    await approved(office, 'DE 10', 'unknown');
    await command(office, 'status', BUYER);
    await hears(office, BUYER, 'You are not in a group that may see how the bot stands');
    await command(office, 'status', LEAD);
    const told = await hears(office, LEAD, 'Open');
    expect(told).toContain('Spending is not frozen.');
    expect(told).toContain('Nothing waits to be sent.');
    expect(told).toMatch(/Open: 1 to be decided \(oldest \d+ min\) · 0 to be sent · 1 unknown \(oldest \d+ min\)/);
    expect(told).toMatch(/Balance, as last read: \$[\d,.]+, read \d\d:\d\d/);
    expect(told).toMatch(
      /1 process\n• \S+ \(this one\) version 0, since .*\n +policy \w{7} since .*\n +Slack: connected/,
    );
    expect(told).toContain(`policy ${shortDigest(policyDigest(office.policy))}`);
  });

  it('says what is being sent and since when, what is next and why it waits, and who froze', async () => {
    const office = await openOffice();
    const [one, two] = [await file(office, 'US 10'), await file(office, 'DE 10')];
    office.vendor.next('create', { name: 'hold' });
    for (const id of [one, two]) await decide(office, id, 'Approve');
    await reaches(office, one, 'sending');
    await reaches(office, two, 'approved');
    await command(office, 'status', LEAD);
    const told = await hears(office, LEAD, 'Being sent');
    expect(told).toMatch(new RegExp(`Being sent: 10 IPs \\(US 10\\) for @bea \\(${one}\\), since \\d\\d:\\d\\d`));
    expect(told).toMatch(
      new RegExp(`Next: 10 IPs \\(DE 10\\) for @bea \\(${two}\\), .* It waits: one purchase is sent at a time`),
    );
    await command(office, 'freeze the bill looks odd', LEAD);
    await hears(office, LEAD, 'Spending is frozen');
    await command(office, 'status', LEAD2);
    expect(await hears(office, LEAD2, 'Spending is frozen')).toMatch(/by @lea since .*the bill looks odd/);
    office.vendor.release();
  });

  it('shows each process, and that two of them go by different policies', async () => {
    const office = await openOffice();
    await office.another(policyOf({ limits: 'limits: { ips_per_order: 499 }' }));
    const told = await until(async () => {
      office.clock.advance(10_000);
      await command(office, 'status', LEAD);
      // What a process says of itself is as old as its last beat, when it may not have been connected yet.
      return privately(office, LEAD).find((text) => text.match(/Slack: connected/g)?.length === 2);
    });
    expect(told).toContain('2 processes');
    expect(told).toContain('They go by different policies');
  });
});
