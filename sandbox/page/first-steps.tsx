import { usePage } from './page-context.ts';

/** What to try, for somebody who has just arrived. */
export function FirstSteps() {
  const { snapshot } = usePage();
  const named = (role: string) =>
    Object.values(snapshot.people)
      .filter(({ id }) => snapshot.roles[id] === role)
      .map(({ realName }) => realName);
  const [buyer, otherBuyer] = named('buyer');
  const [approver] = named('approver');
  const [both] = named('buyer and approver');
  const app = snapshot.app.name;
  return (
    <aside class="first-steps" aria-label="First steps">
      <h3>Try it</h3>
      <ol>
        <li>
          You are <b>{buyer}</b>, a buyer. Type <code>/proxy buy US 3</code> below, fill in the form, then{' '}
          <b>Buy now</b>: up to 5 IPs a day need no approval. The receipt is in the direct messages with <b>{app}</b>.
        </li>
        <li>
          <code>/proxy buy US 10, DE 5</code> is more than that: <b>Ask for approval</b>. Change to <b>{approver}</b> at
          the top, an approver, open <b>#approvals</b> and decide.
        </li>
        <li>
          Change back and look at <b>{app}</b> again. The vendor's panel shows what was sent and what it cost.
        </li>
        <li>
          Press <b>Never answer, but charge</b> in the vendor's panel. As <b>{otherBuyer}</b>, type{' '}
          <code>/proxy buy NL 4</code> here, then <b>Buy now</b>: nobody can know whether money was spent, and the bot
          says so. <b>{approver}</b> settles it in <b>#approvals</b>.
        </li>
        <li>
          <b>{both}</b> is a buyer and an approver. Ask for something as her: she cannot approve it herself.
        </li>
        <li>
          Nobody wants to wait for a day: <b>+1 day</b> at the top puts the clock of all of it forward. What nobody has
          decided by then expires.
        </li>
      </ol>
    </aside>
  );
}
