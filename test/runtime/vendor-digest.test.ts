import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openOffice } from '../support/office.ts';

test("what the ledger keeps of the vendor's token is equal for processes with the same, and cannot be tried at the speed of a hash", async () => {
  const office = await openOffice();
  await office.another();
  const { baseUrl, token } = office.config.vendor;
  const fingerprints = () => office.books.database.read((sql) => sql.all('SELECT vendor_hash FROM instances'));
  await expect.poll(fingerprints).toHaveLength(2);
  const [first, second] = await fingerprints();
  expect(second).toEqual(first);
  for (const guess of [token, baseUrl + token, JSON.stringify([baseUrl, token])])
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
      const hashed = createHash(algorithm).update(guess).digest('hex');
      expect(hashed).not.toContain(String(first?.['vendor_hash']).slice(0, 8));
    }
});
