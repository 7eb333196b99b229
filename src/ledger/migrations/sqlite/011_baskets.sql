-- Baskets that somebody saved under a name, for the whole team.
CREATE TABLE baskets (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- The name without regard to case, as the product folds it: the databases differ beyond ASCII.
  folded TEXT NOT NULL UNIQUE,
  basket TEXT NOT NULL,
  plan_product_id TEXT NOT NULL,
  -- Who saved it: the Slack user id as received.
  saved_by TEXT NOT NULL,
  saved_at INTEGER NOT NULL
) STRICT;
