import type { OpenLedger } from '../ledger/open.ts';
import type { Observer } from './observer.ts';
import type { Pass } from './workers.ts';

/** Where the bot's work is told of as spans. What makes them is loaded only where somebody asks for them: `otel.ts`. */
export interface Traces extends Observer {
  /** Does what somebody has clicked or typed: all that is observed meanwhile belongs to it. */
  readonly clicked: <T>(of: Clicked, work: () => Promise<T>) => Promise<T>;
  /** A worker's pass, which becomes a span only where it calls somebody or changes a purchase. */
  readonly pass: (name: string, pass: Pass) => Pass;
  /** The ledger, whose operations are told of by their names. */
  readonly opened: (opened: OpenLedger) => OpenLedger;
  /** What is going on is about this purchase. */
  readonly about: (purchase: string) => void;
  /** Sends what there is, for a short time at most. */
  readonly stop: () => Promise<void>;
}

export interface Clicked {
  /** A command, or the id of a button or a view. */
  readonly listener: string;
  readonly purchase?: string;
}

export const NO_TRACES: Traces = {
  acked: () => {},
  slackCalled: () => {},
  vendorCalled: () => {},
  clicked: (_, work) => work(),
  pass: (_, pass) => pass,
  opened: (opened) => opened,
  about: () => {},
  stop: async () => {},
};
