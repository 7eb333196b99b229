import { useState } from 'preact/hooks';
import type { VendorEndpoint } from '../../demo/wire.ts';
import { MISBEHAVIOURS, type Misbehaviour, type MisbehaviourName } from '../../vendor-api/misbehaviours.ts';
import { usePage } from '../page-context.ts';
import { act } from '../server.ts';

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
  const { snapshot, toast } = usePage();
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

type Values = Readonly<Record<string, string>>;
const NAMES = Object.keys(MISBEHAVIOURS) as MisbehaviourName[];

/** Every misbehaviour that the local vendor knows, on any call, with its fields. */
function AnythingElse() {
  const { toast } = usePage();
  const [endpoint, setEndpoint] = useState<VendorEndpoint>('create');
  const offered = NAMES.filter((name) => (MISBEHAVIOURS[name].endpoints as readonly string[]).includes(endpoint));
  const [wanted, setName] = useState<MisbehaviourName>('time_out');
  const name = offered.includes(wanted) ? wanted : (offered[0] ?? 'as_documented');
  const [values, setValues] = useState<Values>({});
  const [charge, setCharge] = useState<boolean | null>(null);
  const about = MISBEHAVIOURS[name];
  const charges = charge ?? about.charges;
  const isOrder = endpoint === 'create' || endpoint === 'renew';

  const add = async () => {
    const fields = Object.entries(about.defaults).map(([key, preset]) => [key, convert(values[key], preset)]);
    const misbehaviour = {
      name,
      ...Object.fromEntries(fields),
      ...(isOrder && name !== 'as_documented' ? { charge: charges } : {}),
    };
    const result = await act({ do: 'vendor_next', endpoint, misbehaviour: misbehaviour as Misbehaviour });
    if (!result.ok) toast(result.error);
  };
  return (
    <details class="anything">
      <summary>Anything else, on any call</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label>
          <span>On the next</span>
          <select value={endpoint} onChange={(event) => setEndpoint(event.currentTarget.value as VendorEndpoint)}>
            {ENDPOINT_NAMES.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>the vendor will</span>
          <select
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value as MisbehaviourName);
              setValues({});
              setCharge(null);
            }}
          >
            {offered.map((id) => (
              <option key={id} value={id}>
                {MISBEHAVIOURS[id].label}
              </option>
            ))}
          </select>
        </label>
        {Object.entries(about.defaults).map(([key, preset]) => (
          <label key={key}>
            <span>{key}</span>
            <input
              value={values[key] ?? String(preset)}
              onInput={(event) => {
                const typed = event.currentTarget.value;
                setValues((before) => ({ ...before, [key]: typed }));
              }}
            />
          </label>
        ))}
        {isOrder && name !== 'as_documented' && (
          <label class="choice">
            <input type="checkbox" checked={charges} onChange={(event) => setCharge(event.currentTarget.checked)} />
            <span>The order is carried out all the same: money is spent</span>
          </label>
        )}
        <button type="submit" class="button plain-button small">
          Add to what comes next
        </button>
      </form>
    </details>
  );
}

function convert(typed: string | undefined, preset: string | number | boolean): string | number | boolean {
  if (typed === undefined) return preset;
  if (typeof preset === 'number') return Number(typed);
  return typeof preset === 'boolean' ? typed === 'true' : typed;
}

const ENDPOINT_NAMES: readonly { readonly id: VendorEndpoint; readonly label: string }[] = [
  { id: 'create', label: 'Purchase' },
  { id: 'renew', label: 'Renewal' },
  { id: 'balance', label: 'Balance' },
  { id: 'connection', label: 'Connection' },
];

/** `Never answer (charges)` */
function describe(misbehaviour: Misbehaviour): string {
  const { label, charges } = MISBEHAVIOURS[misbehaviour.name];
  if (misbehaviour.name === 'as_documented') return label;
  const charge = 'charge' in misbehaviour ? misbehaviour.charge : charges;
  return `${label} (${charge ? 'charges' : 'charges nothing'})`;
}
