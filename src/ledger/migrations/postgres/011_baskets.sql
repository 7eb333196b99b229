-- Baskets that somebody saved under a name, for the whole team. Who did what with them is in the entries.
CREATE TABLE baskets (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- The name as two of them are compared: folded by the product, since the databases differ beyond ASCII.
  folded TEXT NOT NULL UNIQUE,
  basket TEXT NOT NULL,
  plan_product_id TEXT,
  -- Who saved it: the Slack user id as received.
  saved_by TEXT NOT NULL,
  saved_at BIGINT NOT NULL
);
