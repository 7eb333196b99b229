import type { Answer } from '../purchasing/model/answer.ts';
import type { Scrub } from '../scrub.ts';
import type { Exchange } from './exchange.ts';
import { judge } from './outcome.ts';
import { cutText } from './vendor-text.ts';

/** How much of a body is kept as evidence, in bytes of UTF-8. */
const KEPT_BYTES = 64 * 1024;

/** The answer as it may be stored and shown: judged, with secrets removed. */
export function toAnswer(
  exchange: Exchange,
  times: { readonly startedAt: number | null; readonly endedAt: number },
  scrub: Scrub,
): Answer {
  const verdict = judge(exchange);
  const received = exchange.stage === 'cut_short' || exchange.stage === 'answered' ? exchange : undefined;
  const kept = keepBody(received?.body, scrub);
  return {
    outcome: verdict.outcome,
    why: scrub(verdict.why), // it may quote the vendor's code
    httpStatus: received?.httpStatus ?? null,
    code: verdict.code === null ? null : scrub(verdict.code),
    vendorText: verdict.vendorText === null ? null : cutText(scrub(verdict.vendorText)),
    orderIds: verdict.orderIds.filter((id) => scrub(id) === id),
    rawBody: kept.text,
    rawBodyTruncated: kept.cut || exchange.stage === 'cut_short',
    startedAt: times.startedAt,
    endedAt: times.endedAt,
    unauthorized: verdict.unauthorized,
  };
}

/** Secrets go first, from the whole; a cut made before could leave half of one. */
function keepBody(body: Buffer | undefined, scrub: Scrub): { readonly text: string | null; readonly cut: boolean } {
  if (body === undefined || body.byteLength === 0) return { text: null, cut: false };
  const clean = Buffer.from(scrub(body.toString('utf8')));
  if (clean.byteLength <= KEPT_BYTES) return { text: clean.toString('utf8'), cut: false };
  // stream: true leaves out a character that the cut has split.
  return { text: new TextDecoder().decode(clean.subarray(0, KEPT_BYTES), { stream: true }), cut: true };
}
