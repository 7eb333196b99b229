-- Several processes on one ledger. What is claimed here spares the vendor and Slack N times the same question; no promise rests on it.

-- Who looks after the purchase at the head of the lane, and until when nobody else does.
ALTER TABLE desk ADD COLUMN head_purchase TEXT;
ALTER TABLE desk ADD COLUMN head_holder TEXT;
ALTER TABLE desk ADD COLUMN head_until BIGINT NOT NULL DEFAULT 0;

ALTER TABLE readings ADD COLUMN claimed_until BIGINT NOT NULL DEFAULT 0;

-- Processes of the bot. A row of one that is gone grows old and is removed.
CREATE TABLE instances (
  id TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  policy_hash TEXT NOT NULL,
  vendor_hash TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL
);

-- The latest transaction of each writer that wrote anything: how one whose commit was not answered learns what became of it.
CREATE TABLE commits (
  writer TEXT PRIMARY KEY,
  nth BIGINT NOT NULL,
  at BIGINT NOT NULL
);

-- The server and database that this ledger was last used on. A copy brings it along and does not match it.
CREATE TABLE home (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  identity TEXT NOT NULL
);

-- A hint to the other replicas to look now; they look once a second anyway.
CREATE FUNCTION hint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NOTIFY proxy_desk;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_hint AFTER INSERT ON entries FOR EACH STATEMENT EXECUTE FUNCTION hint();
CREATE TRIGGER notices_hint AFTER INSERT ON notices FOR EACH STATEMENT EXECUTE FUNCTION hint();
