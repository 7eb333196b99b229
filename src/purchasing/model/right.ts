/** What a person may do; each is a list of Slack user groups in the policy's `access`. */
export const RIGHTS = ['balance', 'buy', 'renew', 'approve'] as const;
export type Right = (typeof RIGHTS)[number];
