import type { LocalSlack, State, ViewRecord } from '../slack/index.ts';
import type { LocalOrder, LocalVendor, LocalVendorOptions } from '../vendor-api/index.ts';
import type { DataFolder } from './data-folder.ts';

const WRITE_AFTER_MS = 250;
/** Above 2^53, so that a client that makes floats of ids is noticed. */
const FIRST_ORDER_ID = 9007199254740993n;

type SlackPart = Pick<State, 'messages' | 'directs' | 'responseUrls'> & { homes: ViewRecord[] };
interface VendorPart {
  balance: string;
  pricePerIp: string;
  orders: LocalOrder[];
}

/**
 * Puts back what was said before. Everybody has a direct message channel from the start, so that its id is the same in every run.
 */
export function restoreSlack(slack: LocalSlack, folder: DataFolder): void {
  const { state } = slack;
  for (const id of Object.keys(state.people)) state.directs[id] = `D${id.slice(1)}`;
  // Ours, written by `keep` below; a file that is not whole reads as undefined.
  const saved = folder.read('slack') as SlackPart | undefined;
  if (!saved) return;
  state.messages.push(...saved.messages);
  Object.assign(state.directs, saved.directs);
  Object.assign(state.responseUrls, saved.responseUrls);
  for (const view of saved.homes) {
    state.views[view.id] = view;
    state.homes[view.user] = view.id;
  }
}

export function vendorOptions(folder: DataFolder): LocalVendorOptions {
  const saved = folder.read('vendor') as VendorPart | undefined;
  const ids = (saved?.orders ?? []).flatMap(({ id }) => (/^\d+$/.test(id) ? [BigInt(id)] : []));
  const next = ids.reduce((most, id) => (id >= most ? id + 1n : most), FIRST_ORDER_ID);
  return {
    token: folder.secrets.vendor,
    firstOrderId: String(next),
    countryPrices: { BR: '2.80', IN: '2.40', SG: '5.40' },
    ...(saved ? { balance: saved.balance, pricePerIp: saved.pricePerIp } : {}),
  };
}

export function restoreVendor(vendor: LocalVendor, folder: DataFolder): void {
  const saved = folder.read('vendor') as VendorPart | undefined;
  for (const order of saved?.orders ?? []) vendor.addOrder(order);
}

/** How far the clock had been put forward: what is kept carries times of then. */
export function readAhead(folder: DataFolder): number {
  const saved = folder.read('clock') as { aheadMs: number } | undefined;
  // Less than 0 where a run was killed in the middle of the past that it made.
  return Math.max(0, saved?.aheadMs ?? 0);
}

/** Writes soon after every change, and once more at the end. */
export function keep(slack: LocalSlack, vendor: LocalVendor, folder: DataFolder): { close: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { directs, responseUrls, views } = slack.state;
    const homes = Object.values(views).filter(({ type }) => type === 'home');
    // As in Slack, a private message lasts no longer than the page in which it stands.
    const messages = slack.state.messages.filter(({ ephemeralTo }) => ephemeralTo === undefined);
    folder.write('slack', { messages, directs, responseUrls, homes } satisfies SlackPart);
    const { balance, pricePerIp, orders } = vendor;
    folder.write('vendor', { balance, pricePerIp, orders: [...orders] } satisfies VendorPart);
  };
  const soon = () => {
    timer ??= setTimeout(write, WRITE_AFTER_MS);
  };
  const stops = [
    slack.on(({ type }) => {
      if (type.startsWith('message_') || type === 'home_published') soon();
    }),
    vendor.on(soon),
  ];
  return {
    close() {
      for (const stop of stops) stop();
      write();
    },
  };
}
