-- What the vendor said the balance was, each time that it was asked and answered.
CREATE TABLE balance_readings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  balance TEXT NOT NULL,
  asker TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- The last entry when it was asked for, and when this was written: what was sent in between may be in it or not.
  asked_after INTEGER NOT NULL,
  kept_after INTEGER NOT NULL,
  -- Of a link of the chain, what may be booked only after it; null where another reading overlaps this one, so that it is none.
  unbooked TEXT,
  -- The link before, where its balance was another.
  changed_from INTEGER REFERENCES balance_readings (seq) CHECK (changed_from IS NULL OR (changed_from < seq AND unbooked IS NOT NULL)),
  went_back INTEGER NOT NULL CHECK (went_back IN (0, 1))
) STRICT;
CREATE INDEX balance_links ON balance_readings (seq) WHERE unbooked IS NOT NULL;
CREATE INDEX balance_links_by_time ON balance_readings (at, seq) WHERE unbooked IS NOT NULL;
CREATE INDEX balance_changes ON balance_readings (seq) WHERE changed_from IS NOT NULL;
CREATE INDEX balance_changes_by_time ON balance_readings (at, seq) WHERE changed_from IS NOT NULL;
CREATE UNIQUE INDEX balance_one_change_a_link ON balance_readings (changed_from) WHERE changed_from IS NOT NULL;

-- What had been sent, and could explain a change.
CREATE TABLE balance_change_purchases (
  reading INTEGER NOT NULL REFERENCES balance_readings (seq),
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  PRIMARY KEY (reading, purchase_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX balance_change_purchases_by_purchase ON balance_change_purchases (purchase_id, reading);

-- Only added to. A link at which nothing has changed may be removed when it is old: no sum is another without it.
CREATE TRIGGER balance_readings_no_update BEFORE UPDATE ON balance_readings
BEGIN SELECT RAISE(ABORT, 'balance readings are kept as they were'); END;
CREATE TRIGGER balance_readings_no_replace BEFORE INSERT ON balance_readings
WHEN EXISTS (SELECT 1 FROM balance_readings WHERE seq = NEW.seq OR changed_from = NEW.changed_from)
BEGIN SELECT RAISE(ABORT, 'balance readings are kept as they were'); END;
CREATE TRIGGER balance_readings_no_delete BEFORE DELETE ON balance_readings
WHEN OLD.changed_from IS NOT NULL OR EXISTS (SELECT 1 FROM balance_readings WHERE changed_from = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'the balance changed at this reading: it is kept'); END;
CREATE TRIGGER balance_change_purchases_no_update BEFORE UPDATE ON balance_change_purchases
BEGIN SELECT RAISE(ABORT, 'balance readings are kept as they were'); END;
CREATE TRIGGER balance_change_purchases_no_delete BEFORE DELETE ON balance_change_purchases
BEGIN SELECT RAISE(ABORT, 'balance readings are kept as they were'); END;

-- What an IP costs, as observed: amount divided by divisor, of which both may be longer than a number.
CREATE TABLE observed_prices (
  kind TEXT NOT NULL,
  product_id TEXT NOT NULL,
  country TEXT NOT NULL,
  amount TEXT NOT NULL,
  divisor TEXT NOT NULL,
  since INTEGER NOT NULL,
  latest INTEGER NOT NULL,
  observations INTEGER NOT NULL,
  PRIMARY KEY (kind, product_id, country)
) STRICT, WITHOUT ROWID;

-- The reading at an interval: nobody takes it until then, for so long from when that was written; and how often it has failed in a row.
ALTER TABLE desk ADD COLUMN interval_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE desk ADD COLUMN interval_for INTEGER NOT NULL DEFAULT 0;
ALTER TABLE desk ADD COLUMN interval_failures INTEGER NOT NULL DEFAULT 0;
