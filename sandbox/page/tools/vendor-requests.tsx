import { useState } from 'preact/hooks';
import { MISBEHAVIOURS } from '../../vendor-api/misbehaviours.ts';
import type { LocalVendorView } from '../../vendor-api/types.ts';
import { clockTime } from '../dates.ts';
import { usePage } from '../page-context.ts';
import { Copy } from './copy.tsx';

type Request = LocalVendorView['requests'][number];

/** Every byte that the vendor got, and sent back. The token is not in it. */
export function VendorRequests() {
  const { snapshot } = usePage();
  const [onlyOrders, setOnlyOrders] = useState(false);
  const shown = snapshot.vendor.requests.filter(({ raw }) => !onlyOrders || raw.startsWith('POST '));
  return (
    <section aria-label="Requests to the vendor">
      <div class="tool-head">
        <h3>Requests</h3>
        <label class="choice">
          <input
            type="checkbox"
            checked={onlyOrders}
            onChange={(event) => setOnlyOrders(event.currentTarget.checked)}
          />
          <span>Only orders</span>
        </label>
      </div>
      {shown.length === 0 && <p class="nothing">Nothing has been sent yet.</p>}
      <ul class="rows">
        {shown.toReversed().map((request) => (
          <li key={request.id}>
            <RequestRow request={request} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RequestRow({ request }: { request: Request }) {
  const [method = '', path = ''] = request.raw.split(' ', 2);
  const status = /^HTTP\/1\.1 (\d+)/.exec(request.answer ?? '')?.[1];
  const played = request.played && request.played !== 'as_documented' ? MISBEHAVIOURS[request.played].label : null;
  return (
    <details class="row-details">
      <summary>
        <span class={`verb verb-${method.toLowerCase()}`}>{method || '…'}</span>
        <span class="row-name">{path}</span>
        {played && <span class="tag warn">{played}</span>}
        <span class={status === undefined ? 'tag bad' : 'tag'}>
          {status ?? (request.complete ? 'no answer' : 'incomplete')}
        </span>
        <time>{clockTime(request.at)}</time>
      </summary>
      <div class="row-more">
        <div class="tool-head">
          <h4>Request</h4>
          <Copy text={() => utf8(request.raw)} label="Copy request" />
        </div>
        <pre>{utf8(request.raw)}</pre>
        <div class="tool-head">
          <h4>Answer</h4>
          {request.answer !== undefined && <Copy text={() => utf8(request.answer ?? '')} label="Copy answer" />}
        </div>
        <pre>{request.answer === undefined ? 'none' : utf8(request.answer).slice(0, 5_000)}</pre>
      </div>
    </details>
  );
}

/** Requests are kept with one character for each byte; the mask over the token is no byte, and stays. */
function utf8(bytes: string): string {
  return bytes.replace(/[\u0080-\u00ff]+/g, (run) =>
    new TextDecoder().decode(Uint8Array.from(run, (character) => character.charCodeAt(0))),
  );
}
