import { usePage } from './page-context.ts';

/** What to try, for somebody who has just arrived. */
export function FirstSteps() {
  const { snapshot } = usePage();
  const named = (role: string) =>
    Object.values(snapshot.people).find(({ id }) => snapshot.roles[id] === role)?.realName ?? role;
  return (
    <aside class="first-steps" aria-label="First steps">
      <h3>Try it</h3>
      <ol>
        <li>
          You are <b>{named('buyer')}</b>, a buyer. Type <code>/proxy buy US 10, DE 5</code> below, fill in the form,
          and ask for approval. Up to 5 IPs a day need none.
        </li>
        <li>
          Change to <b>{named('approver')}</b> at the top, an approver. Open <b>#approvals</b> and decide.
        </li>
        <li>
          Change back: the receipt is in the direct messages with <b>{snapshot.app.name}</b>. The vendor's panel shows
          what was sent and what it cost.
        </li>
        <li>
          Make the vendor's next answer misbehave, buy again, and see what the bot says when it cannot know whether
          money was spent.
        </li>
      </ol>
    </aside>
  );
}
