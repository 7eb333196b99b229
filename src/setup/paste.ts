import { settingProblem } from '../config/environment.ts';

/** What setup asks for without showing it. */
export type SecretName = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN' | 'SLACK_SIGNING_SECRET' | 'PROXY_API_TOKEN';

/** Without what shells, editors and chat programs put around a secret that is copied. */
export function unwrap(name: SecretName, pasted: string): string {
  return pasted
    .replace(/[\u200B\u2060\uFEFF]/g, '')
    .trim()
    .replace(new RegExp(`^(?:export\\s+)?${name}\\s*=\\s*`), '')
    .replace(/^(?:Authorization:\s*)?Bearer\s+/i, '')
    .replace(/^(["'`])(.*)\1$/, '$2')
    .trim();
}

interface Kind {
  readonly form: RegExp;
  readonly what: string;
  readonly is?: SecretName;
}

/** By which it shows that one was taken for another. */
const KINDS: readonly Kind[] = [
  { form: /^xoxb-/, what: 'the bot token', is: 'SLACK_BOT_TOKEN' },
  { form: /^xapp-/, what: 'the app-level token', is: 'SLACK_APP_TOKEN' },
  { form: /^xoxp-/, what: 'a user token' },
  { form: /^xoxe[.-]/, what: 'a token that expires (token rotation must be off in the app)' },
  { form: /^xox[a-z]-/, what: 'another kind of Slack token' },
  { form: /^https?:/, what: 'an address' },
];

const WANTED: Record<SecretName, string> = {
  SLACK_BOT_TOKEN: 'the Bot User OAuth Token, which begins with xoxb-',
  SLACK_APP_TOKEN: 'the app-level token, which begins with xapp-',
  SLACK_SIGNING_SECRET: 'the Signing Secret, 32 digits and letters from a to f',
  PROXY_API_TOKEN: "the Master User Token of the vendor's My Account page",
};

/** A sentence without the value; undefined where it may be right. */
export function faultIn(name: SecretName, pasted: string): string | undefined {
  const value = unwrap(name, pasted);
  if (value === '') return `Paste ${WANTED[name]}.`;
  const kind = KINDS.find(({ form }) => form.test(value));
  if (kind && kind.is !== name) return `That is ${kind.what}. Wanted is ${WANTED[name]}.`;
  if (/\s/.test(value)) return 'There is a blank in the middle of it. Copy it again, alone.';
  const problem = settingProblem(name, value);
  return problem && `That ${problem.problem}. Wanted is ${WANTED[name]}.`;
}
