-- Several processes on one ledger. What is claimed here spares the vendor and Slack N times the same question; no promise rests on it.

-- Who looks after the purchase at the head of the lane, and until when nobody else does.
ALTER TABLE desk ADD COLUMN head_purchase TEXT;
ALTER TABLE desk ADD COLUMN head_holder TEXT;
ALTER TABLE desk ADD COLUMN head_until INTEGER NOT NULL DEFAULT 0;

ALTER TABLE readings ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0;

-- Processes of the bot. A row of one that is gone grows old and is removed.
CREATE TABLE instances (
  id TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  policy_hash TEXT NOT NULL,
  vendor_hash TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
