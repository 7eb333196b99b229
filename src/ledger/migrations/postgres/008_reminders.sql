-- Rungs of an order's end that were reached: told by a reminder, or passed over. Each is reached once.
CREATE TABLE order_reminders (
  order_id TEXT NOT NULL,
  ends_at BIGINT NOT NULL,
  -- Days before the day of the end; -1 is the day after it.
  rung INTEGER NOT NULL,
  -- Whose the order was then.
  owner TEXT,
  -- The key of the reminder that tells of it; null where it was passed over.
  reminder TEXT,
  PRIMARY KEY (order_id, ends_at, rung)
);
CREATE INDEX order_reminders_by_reminder ON order_reminders (reminder) WHERE reminder IS NOT NULL;
-- Copies of a reminder tell of the same orders.
CREATE INDEX notices_of_reminder ON notices (text) WHERE kind = 'ending';
-- Rises with every change of the orders that a message tells of.
ALTER TABLE notices ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

-- The rung that somebody has asked for besides.
ALTER TABLE orders ADD COLUMN again INTEGER;
CREATE INDEX orders_kept ON orders (ends_at, order_id) WHERE intent = 'keep';
