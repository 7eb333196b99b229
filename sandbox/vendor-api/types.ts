import type { LocalOrder } from './account.ts';
import type { Endpoint, MISBEHAVIOURS, Misbehaviour } from './misbehaviours.ts';
import type { RawRequest } from './raw-request.ts';

export type LocalVendorOptions = {
  readonly token?: string;
  /** As it will stand in the JSON: a number. */
  readonly balance?: string;
  readonly pricePerIp?: string;
  /** Where an IP costs another price, by country code. */
  readonly countryPrices?: Readonly<Record<string, string>>;
  readonly firstOrderId?: string;
  /** Where the interface lives, without a trailing slash: `/api`. */
  readonly prefix?: string;
  readonly port?: number;
  /** Milliseconds; real time unless given. */
  readonly now?: () => number;
};

/** Something happened; plain data, free of the token. */
export type LocalVendorEvent = {
  readonly type: 'connection' | 'request' | 'answer' | 'held' | 'changed';
  readonly at: number;
  readonly text: string;
};

/** Plain data for a panel, free of the token. */
export type LocalVendorView = {
  readonly baseUrl: string;
  readonly balance: string;
  readonly pricePerIp: string;
  readonly countryPrices: Readonly<Record<string, string>>;
  readonly orders: readonly LocalOrder[];
  readonly requests: readonly Readonly<RawRequest>[];
  readonly held: number;
  readonly next: Readonly<Record<Endpoint, readonly Misbehaviour[]>>;
  readonly always: Readonly<Record<Endpoint, Misbehaviour | null>>;
  readonly misbehaviours: typeof MISBEHAVIOURS;
};

export type LocalVendor = {
  readonly baseUrl: string;
  readonly port: number;
  readonly token: string;
  /** As text, with which nothing is rounded. */
  balance: string;
  pricePerIp: string;
  countryPrices: Readonly<Record<string, string>>;
  readonly orders: readonly LocalOrder[];
  /** Every request, also one of which only the first bytes came. They hold the token: for tests, not for display. */
  readonly requests: readonly Readonly<RawRequest>[];
  /** How many POSTs began to arrive, whole or not. */
  readonly posts: number;
  readonly connections: number;
  readonly bytesReceived: number;
  /** How many answers wait for {@link release}. */
  readonly held: number;
  /** For the next requests on that endpoint, one each; then as documented again. */
  next(endpoint: Endpoint, ...misbehaviours: readonly Misbehaviour[]): void;
  /** For every request on that endpoint for which nothing is queued; `null` for as documented. */
  always(endpoint: Endpoint, misbehaviour: Misbehaviour | null): void;
  /** As documented everywhere, nothing queued. Books and requests stay. */
  behave(): void;
  /** Lets held answers go: all of them, or the oldest ones. */
  release(count?: number): void;
  addOrder(order?: Partial<LocalOrder>): LocalOrder;
  on(listener: (event: LocalVendorEvent) => void): () => void;
  /** Resolves once the condition holds; looked at after every event. A test needs no sleep. */
  until(condition: () => boolean): Promise<void>;
  view(): LocalVendorView;
  close(): Promise<void>;
};
