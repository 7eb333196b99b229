/** What a person may do; each is a list of Slack user groups in the policy's `access`. */
export const RIGHTS = ['balance', 'buy', 'renew', 'approve'] as const;
export type Right = (typeof RIGHTS)[number];

/** What a person does with a purchase that has been filed, as its entries name it. */
export type PurchaseAction = 'approve' | 'reject' | 'settle' | 'withdraw' | 'enter order id' | 'show the answer';
