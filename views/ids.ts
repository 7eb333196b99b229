/** Every callback_id. `plain` is for views without a submit. */
export const CALLBACK = {
  buy: 'buy',
  buyReview: 'buy_review',
  paste: 'paste',
  saveBasket: 'save_basket',
  renameBasket: 'rename_basket',
  renew: 'renew',
  renewReview: 'renew_review',
  approve: 'approve',
  reject: 'reject',
  settle: 'settle',
  renewMany: 'renew_many',
  renewManyReview: 'renew_many_review',
  approveBatch: 'approve_batch',
  rejectBatch: 'reject_batch',
  orderId: 'order_id',
  import: 'import',
  importReview: 'import_review',
  handOver: 'hand_over',
  orderNote: 'order_note',
  ask: 'ask',
  answer: 'answer',
  knowFall: 'know_fall',
  plain: 'plain',
} as const;

/** The callback_id of each shortcut in the manifest. */
export const SHORTCUT = {
  buy: 'buy_proxies',
  buyFromMessage: 'buy_proxies_from_message',
} as const;

/**
 * Every action_id. The value of a button is the id of a purchase, of a batch, of an order, of a question, of a change of the balance, or of a row, and nothing else; the order
 * book's pages carry what was asked for.
 */
export const ACTION = {
  plan: 'plan',
  country: 'country',
  quantity: 'quantity',
  addCountry: 'add_country',
  removeRow: 'remove_row',
  pasteList: 'paste_list',
  saveBasket: 'save_basket',
  savedBasket: 'saved_basket',
  manageBaskets: 'manage_baskets',
  renameBasket: 'rename_basket',
  removeBasket: 'remove_basket',
  basketName: 'basket_name',
  reason: 'reason',
  separate: 'separate',
  neverSeen: 'never_seen',
  approve: 'approve',
  takeBack: 'take_back',
  reject: 'reject',
  ask: 'ask',
  question: 'question',
  answer: 'answer',
  answerText: 'answer_text',
  nudge: 'nudge',
  withdraw: 'withdraw',
  approveBatch: 'approve_batch',
  rejectBatch: 'reject_batch',
  withdrawBatch: 'withdraw_batch',
  takeBackBatch: 'take_back_batch',
  askBatch: 'ask_batch',
  askAgainBatch: 'ask_again_batch',
  showAnswerTo: 'show_answer_to',
  strikeOut: 'strike_out',
  orders: 'orders',
  allEnding: 'all_ending',
  renewSeveral: 'renew_several',
  askAgain: 'ask_again',
  buyAgain: 'buy_again',
  placed: 'placed',
  notPlaced: 'not_placed',
  buy: 'buy',
  enterOrderId: 'enter_order_id',
  showAnswer: 'show_answer',
  note: 'note',
  reminderRenew: 'reminder_renew',
  reminderRenewSeveral: 'reminder_renew_several',
  reminderLetEnd: 'reminder_let_end',
  remindTomorrow: 'remind_tomorrow',
  orderId: 'order_id',
  pasteText: 'paste_text',
  import: 'import',
  importText: 'import_text',
  previousPage: 'orders_previous',
  nextPage: 'orders_next',
  openOrder: 'open_order',
  renewOrder: 'renew_order',
  keep: 'keep_order',
  letEnd: 'let_order_end',
  /** Takes back whichever of the two was said. */
  neither: 'neither_keep_nor_let_end',
  handOver: 'hand_over',
  heir: 'heir',
  editNote: 'edit_note',
  knowFall: 'know_fall',
  freezeForFall: 'freeze_for_fall',
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
  question: 'question',
  answer: 'answer',
  orderId: 'order_id',
  paste: 'paste',
  /** A new id for each review that says something else: a tick counts for what stood beside it, and for nothing more. */
  separateIn: (review: string) => `separate:${review}`,
  /** These three are new whenever what they hold is set anew: Slack keeps what a field of the same id holds. */
  planAnew: (preset: number) => `plan:${preset}`,
  saved: (preset: number) => `saved:${preset}`,
  basketName: (basketId: string) => `basket_name:${basketId}`,
  /** Slack takes ten boxes a block. */
  strikeOut: (part: number) => `strike_out:${part}`,
  /** A new id whenever the orders are preset anew, as above. */
  orders: (preset: number) => `orders:${preset}`,
  import: 'import',
  heir: 'heir',
  country: (rowId: string) => `row:${rowId}:country`,
  quantity: (rowId: string) => `row:${rowId}:quantity`,
  remove: (rowId: string) => `row:${rowId}:remove`,
} as const;
