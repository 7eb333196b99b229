import { MISBEHAVIOURS, type Misbehaviour } from '../../vendor-api/misbehaviours.ts';
import { useDesk } from '../desk.ts';
import { act } from '../server.ts';
import { AnythingElse } from './anything-else.tsx';
import { describe, ENDPOINT_NAMES } from './misbehaviour-words.ts';

/** The most telling ones; all others are behind "Anything else". */
const QUICK: readonly { readonly label: string; readonly misbehaviour: Misbehaviour }[] = [
  { label: 'Refuse: too little balance', misbehaviour: { name: 'refuse' } },
  { label: 'Never answer, but charge', misbehaviour: { name: 'time_out', charge: true } },
  { label: 'Never answer, charge nothing', misbehaviour: { name: 'time_out', charge: false } },
  { label: 'Charge, then reset', misbehaviour: { name: 'reset_before_answer', charge: true } },
  { label: 'HTML page', misbehaviour: { name: 'html' } },
  { label: 'Redirect', misbehaviour: { name: 'redirect' } },
  { label: 'No order id', misbehaviour: { name: 'no_order_id' } },
  { label: 'Answer 3 s late', misbehaviour: { name: 'slow', ms: 3000 } },
  { label: 'Half an answer', misbehaviour: { name: 'cut' } },
];

/** How the vendor answers the next purchase. */
export function Dial() {
  const { snapshot, toast } = useDesk();
  const { next, held } = snapshot.vendor;
  const set = async (misbehaviour: Misbehaviour) => {
    const result = await act({ do: 'vendor_next', endpoint: 'create', misbehaviour });
    if (!result.ok) toast(result.error);
  };
  const queued = ENDPOINT_NAMES.flatMap(({ id, label }) =>
    next[id].map((misbehaviour) => ({ endpoint: label, misbehaviour })),
  );
  return (
    <section class="dial" aria-label="The vendor's next answer">
      <h3>The vendor's next answer</h3>
      <p class="dial-now" role="status">
        {queued.length === 0 ? (
          <span>
            <span class="lamp ok" aria-hidden="true" /> As documented
          </span>
        ) : (
          queued.map(({ endpoint, misbehaviour }, index) => (
            <span class="queued" key={String(index)}>
              <span class="lamp warn" aria-hidden="true" /> {endpoint}: {describe(misbehaviour)}
            </span>
          ))
        )}
      </p>
      <div class="quick">
        <button
          type="button"
          class="button plain-button small"
          aria-pressed={queued.length === 0}
          onClick={() => void act({ do: 'vendor_behave' })}
        >
          {MISBEHAVIOURS.as_documented.label}
        </button>
        {QUICK.map(({ label, misbehaviour }) => (
          <button type="button" class="button plain-button small" key={label} onClick={() => void set(misbehaviour)}>
            {label}
          </button>
        ))}
      </div>
      <small>Each click is for one purchase, in order. A new order is a POST to /v2/orders/create.</small>
      {held > 0 && (
        <p>
          <button type="button" class="button primary small" onClick={() => void act({ do: 'vendor_release' })}>
            Release {held} held {held === 1 ? 'answer' : 'answers'}
          </button>
        </p>
      )}
      <AnythingElse />
    </section>
  );
}
