import type { Outcome } from '../purchasing/model/answer.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { Vendor, VendorOrder } from '../purchasing/ports/vendor.ts';
import type { Acked } from '../slack/listeners.ts';
import type { Heard } from '../slack/watch.ts';

/** Told of what took time when it has ended, and within the work that it belongs to. The metrics and the traces hear the same. */
export interface Observer {
  readonly acked: Acked;
  readonly slackCalled: Heard;
  readonly vendorCalled: (call: VendorCall, ms: number) => void;
}

export type VendorCall =
  | { readonly call: 'balance'; readonly outcome: 'read' | 'unread' }
  | {
      readonly call: 'order';
      readonly outcome: Outcome;
      readonly kind: VendorOrder['kind'];
      /** Null where no answer came. */
      readonly httpStatus: number | null;
    };

export function both(one: Observer, other: Observer): Observer {
  return {
    acked(...ack) {
      one.acked(...ack);
      other.acked(...ack);
    },
    slackCalled(...call) {
      one.slackCalled(...call);
      other.slackCalled(...call);
    },
    vendorCalled(...call) {
      one.vendorCalled(...call);
      other.vendorCalled(...call);
    },
  };
}

/** The vendor; each call is told of. What goes wrong in telling takes no answer away: money may have left for it. */
export function observed(vendor: Vendor, clock: Clock, log: Log, told: Observer['vendorCalled']): Vendor {
  const observe = async <T>(work: Promise<T>, callOf: (found: T) => VendorCall): Promise<T> => {
    const began = clock.monotonic();
    const found = await work;
    try {
      told(callOf(found), clock.monotonic() - began);
    } catch (err) {
      log.error({ err }, 'a call to the vendor could not be observed');
    }
    return found;
  };
  return {
    ...vendor,
    readBalance: (asker) =>
      observe(vendor.readBalance(asker), ({ ok }) => ({ call: 'balance', outcome: ok ? 'read' : 'unread' })),
    send: (order, guard) =>
      observe(vendor.send(order, guard), ({ outcome, httpStatus }) => ({
        call: 'order',
        outcome,
        kind: order.kind,
        httpStatus,
      })),
  };
}
