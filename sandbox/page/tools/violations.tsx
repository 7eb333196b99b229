import { clockTime } from '../dates.ts';
import { useDesk } from '../desk.ts';

/** What the real Slack would have refused, in its own words. */
export function Violations() {
  const { snapshot } = useDesk();
  if (snapshot.violations.length === 0) return null;
  return (
    <section class="violations" role="alert" aria-label="Refused by Slack">
      <h3>Slack refused ({snapshot.violations.length})</h3>
      {snapshot.violations.toReversed().map(({ what, where, excerpt, at }, index) => (
        <details key={`${at} ${index}`} class="row-details">
          <summary>
            <span class="row-name">
              {where}: {what}
            </span>
            <time>{clockTime(at)}</time>
          </summary>
          <pre>{excerpt}</pre>
        </details>
      ))}
    </section>
  );
}
