-- Which policies this ledger was used by, each time that another one came into force.
CREATE TABLE policies (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- The process that was the first to go by it, and its version.
  instance TEXT NOT NULL,
  version TEXT NOT NULL
) STRICT;

-- Since when a process goes by its policy, and how it stands with Slack. Null: written by a version that does not say.
ALTER TABLE instances ADD COLUMN policy_since INTEGER;
ALTER TABLE instances ADD COLUMN slack TEXT;

-- How many purchases of each kind are in each state, and since when the oldest: read from the index alone.
CREATE INDEX purchases_by_state_and_kind ON purchases (state, kind, changed_at);
