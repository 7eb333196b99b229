/** Every callback_id. `plain` is for views without a submit. */
export const CALLBACK = {
  buy: 'buy',
  buyReview: 'buy_review',
  paste: 'paste',
  renew: 'renew',
  renewReview: 'renew_review',
  approve: 'approve',
  reject: 'reject',
  settle: 'settle',
  orderId: 'order_id',
  plain: 'plain',
} as const;

/** Every action_id. The value of a button is the id of a purchase, or of a row, and nothing else. */
export const ACTION = {
  plan: 'plan',
  country: 'country',
  quantity: 'quantity',
  addCountry: 'add_country',
  removeRow: 'remove_row',
  pasteList: 'paste_list',
  reason: 'reason',
  separate: 'separate',
  neverSeen: 'never_seen',
  approve: 'approve',
  reject: 'reject',
  withdraw: 'withdraw',
  askAgain: 'ask_again',
  placed: 'placed',
  notPlaced: 'not_placed',
  buy: 'buy',
  renewOrder: 'renew_order',
  enterOrderId: 'enter_order_id',
  showAnswer: 'show_answer',
  note: 'note',
  orderId: 'order_id',
  pasteText: 'paste_text',
} as const;

/**
 * The block_ids of inputs; errors are keyed by them. Those of a row carry the row's own id, never its index: Slack keeps what was
 * typed by block_id and action_id, so that removing row 2 would move row 3's values into it.
 */
export const BLOCK = {
  plan: 'plan',
  reason: 'reason',
  separate: 'separate',
  neverSeen: 'never_seen',
  note: 'note',
  orderId: 'order_id',
  paste: 'paste',
  country: (rowId: string) => `row:${rowId}:country`,
  quantity: (rowId: string) => `row:${rowId}:quantity`,
  remove: (rowId: string) => `row:${rowId}:remove`,
} as const;
