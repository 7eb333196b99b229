import { useState } from 'preact/hooks';
import type { VendorEndpoint } from '../../demo/wire.ts';
import { MISBEHAVIOURS, type Misbehaviour, type MisbehaviourName } from '../../vendor-api/misbehaviours.ts';
import { useDesk } from '../desk.ts';
import { act } from '../server.ts';
import { ENDPOINT_NAMES } from './misbehaviour-words.ts';

type Values = Readonly<Record<string, string>>;
const NAMES = Object.keys(MISBEHAVIOURS) as MisbehaviourName[];

/** Every misbehaviour that the local vendor knows, on any call, with its fields. */
export function AnythingElse() {
  const { toast } = useDesk();
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
