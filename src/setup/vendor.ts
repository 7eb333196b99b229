import { vendorUrl } from '../config/addresses.ts';
import { settingProblem } from '../config/environment.ts';
import { problemLine } from '../config/problem.ts';
import { lookAtVendor } from '../doctor/behind.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Ask } from './ask.ts';
import type { Draft } from './draft.ts';
import { askSecret, type Look } from './secret.ts';
import { sentence } from './sentence.ts';

const ADDRESS = 'PROXY_API_BASE_URL';
const TOKEN = 'PROXY_API_TOKEN';

/** For somebody who waits for it. */
const ANSWER_WITHIN_MS = 15_000;

/** The vendor's address and token, tried by the one call that moves no money. */
export async function askVendor(ask: Ask, draft: Draft, clock: Clock): Promise<void> {
  const fixed = draft.elsewhere(ADDRESS);
  const askAddress = () => askForAddress(ask, draft);
  if (fixed === undefined) await askAddress();
  else ask.say(`${ADDRESS} comes from ${fixed}: setup leaves it as it is.`);
  await askSecret(ask, draft, {
    name: TOKEN,
    where: "the Master User Token of the vendor's My Account page",
    asking: 'Asking the vendor for the balance (a read: nothing is spent)',
    look: (token) => look(draft.setting(ADDRESS), token, clock),
    ...(fixed === undefined && { other: { label: `Change ${ADDRESS}`, ask: askAddress } }),
  });
}

async function askForAddress(ask: Ask, draft: Draft): Promise<void> {
  const present = draft.setting(ADDRESS);
  // A password may stand in one that the bot would refuse.
  const now = settingProblem(ADDRESS, present) ? '' : present;
  const typed = await ask.text(`${ADDRESS}: the vendor's address, https://…`, now, (text) => {
    if (text === '') return "Write the vendor's address, https://…";
    const problem = settingProblem(ADDRESS, text);
    return problem && problemLine({ ...problem, key: 'It' });
  });
  draft.set(ADDRESS, vendorUrl.parse(typed));
}

async function look(address: string, token: string, clock: Clock): Promise<Look<true>> {
  const wrong = settingProblem(ADDRESS, address);
  if (wrong) return { ok: false, problems: [problemLine(wrong)], mend: 'again' };
  const vendor = { baseUrl: vendorUrl.parse(address), token, timeoutMs: ANSWER_WITHIN_MS };
  const finding = await lookAtVendor({ vendor }, clock);
  if (finding.verdict !== 'right')
    return { ok: false, problems: [sentence(finding)], mend: finding.check === TOKEN ? 'paste' : 'other' };
  return { ok: true, seen: true, say: `${sentence(finding)} Look whether that is your account's.` };
}
