import { useState } from 'preact/hooks';
import { usePage } from '../page-context.ts';
import { act } from '../server.ts';
import { Dial } from './dial.tsx';
import { VendorRequests } from './vendor-requests.tsx';

/** The vendor's side: its books, its next answers, and what it was sent. */
export function VendorPanel() {
  const { snapshot } = usePage();
  const { vendor } = snapshot;
  return (
    <div class="tool">
      <section class="books" aria-label="Vendor account">
        <Amount label="Balance" value={vendor.balance} save={(balance) => act({ do: 'vendor_set', balance })} />
        <Amount
          label="Price per IP"
          note="The bot is never told it."
          value={vendor.pricePerIp}
          save={(pricePerIp) => act({ do: 'vendor_set', pricePerIp })}
        />
        <CountryPrices prices={vendor.countryPrices} />
        <div class="books-acts">
          <button
            type="button"
            class="button small"
            onClick={() => void act({ do: 'vendor_console', what: 'buy', amount: BOUGHT })}
          >
            Somebody buys in the console (${BOUGHT})
          </button>
          <button
            type="button"
            class="button small"
            onClick={() => void act({ do: 'vendor_console', what: 'top_up', amount: TOPPED_UP })}
          >
            Top up (${TOPPED_UP})
          </button>
          <small>The bot is not told: it sees the balance at its next reading.</small>
        </div>
      </section>
      <Dial />
      {vendor.orders.length > 0 && (
        <section aria-label="Orders at the vendor">
          <h3>Orders</h3>
          <table class="orders">
            <thead>
              <tr>
                <th scope="col">Id</th>
                <th scope="col">Product</th>
                <th scope="col">IPs</th>
                <th scope="col">Paid</th>
                <th scope="col">Renewed</th>
              </tr>
            </thead>
            <tbody>
              {vendor.orders.map((order) => (
                <tr key={order.id}>
                  <td>
                    <code>{order.id}</code>
                  </td>
                  <td>{order.product_id}</td>
                  <td>{order.quantity}</td>
                  <td>${order.paid}</td>
                  <td>{order.renewals}×</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <VendorRequests />
    </div>
  );
}

const BOUGHT = '48.00';
const TOPPED_UP = '500.00';

/** Where an IP costs another price. */
function CountryPrices({ prices }: { prices: Readonly<Record<string, string>> }) {
  const entries = Object.entries(prices);
  if (entries.length === 0) return null;
  return <p class="country-prices">{entries.map(([code, price]) => `${code} $${price}`).join(' · ')}</p>;
}

function Amount({
  label,
  note,
  value,
  save,
}: {
  label: string;
  note?: string;
  value: string;
  save: (value: string) => unknown;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const isWrong = draft !== null && !/^-?\d+(\.\d+)?$/.test(draft);
  return (
    <form
      class="amount"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft === null || isWrong) return;
        save(draft);
        setDraft(null);
      }}
    >
      <label>
        <span>{label}</span>
        <span class="amount-box">
          $
          <input
            inputMode="decimal"
            autocomplete="off"
            aria-invalid={isWrong || undefined}
            value={draft ?? value}
            onInput={(event) => setDraft(event.currentTarget.value)}
          />
        </span>
      </label>
      {note && <small>{note}</small>}
      {draft !== null && draft !== value && (
        <button type="submit" class="button primary small">
          Set
        </button>
      )}
    </form>
  );
}
