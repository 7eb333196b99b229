/** Loud on purpose: a gap of this page must not look like a gap of the product. */
export function Unsupported({ type }: { type: unknown }) {
  return (
    <strong class="unsupported" role="alert">
      unsupported: {String(type)}
    </strong>
  );
}
