import { expect, test } from 'vitest';
import { FailedClicks } from '../../src/purchasing/failed-clicks.ts';

const fails = () => Promise.reject(new Error('the ledger is away'));
const works = async () => {};

function opened() {
  const refused: string[] = [];
  const desk = { away: true };
  const clicks = new FailedClicks({
    refuseClick: async (id) => {
      if (desk.away) await fails();
      refused.push(id);
    },
  });
  return { clicks, refused, desk };
}

test('a click that broke is handled again only when it is written down as refused', async () => {
  const { clicks, refused, desk } = opened();
  await expect(clicks.handle('click 1', fails)).rejects.toThrow();
  const handled: string[] = [];
  const again = () => clicks.handle('click 1', async () => void handled.push('again'));
  await expect(again()).rejects.toThrow('the ledger is away');
  expect(handled).toEqual([]);
  desk.away = false;
  await again();
  expect(handled).toEqual(['again']);
  expect(refused).toEqual(['click 1']);
  // Known to the ledger from then on.
  await again();
  expect(refused).toEqual(['click 1']);
});

test('it is written down by itself as soon as that can be done; one that worked never is', async () => {
  const { clicks, refused, desk } = opened();
  await expect(clicks.handle('click 1', fails)).rejects.toThrow();
  await clicks.handle('click 2', works);
  await expect(clicks.write()).rejects.toThrow('the ledger is away');
  desk.away = false;
  expect(await clicks.write()).toBe(false);
  await clicks.write();
  expect(refused).toEqual(['click 1']);
});

test('a delivery that comes while another of the same click is handled waits for what its person is told', async () => {
  const { clicks, refused, desk } = opened();
  const { promise, reject } = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = clicks.handle('click 1', () => promise);
  const second = clicks.handle('click 1', async () => void done.push('second'));
  await clicks.handle('click 2', async () => void done.push('another click'));
  expect(done).toEqual(['another click']);
  desk.away = false;
  reject(new Error('the ledger was away'));
  await expect(first).rejects.toThrow();
  await second;
  expect(refused).toEqual(['click 1']);
  expect(done).toEqual(['another click', 'second']);
});

test('of a long outage the last ten thousand are remembered', async () => {
  const { clicks, refused, desk } = opened();
  for (let n = 0; n <= 10_000; n += 1) await clicks.handle(`click ${n}`, fails).catch(() => undefined);
  desk.away = false;
  await clicks.write();
  expect(refused).toHaveLength(10_000);
  expect(refused[0]).toBe('click 1');
});
