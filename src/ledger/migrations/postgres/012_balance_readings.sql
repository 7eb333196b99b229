-- What the vendor said the balance was, each time that it was asked and answered.
CREATE TABLE balance_readings (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  balance TEXT NOT NULL,
  asker TEXT NOT NULL,
  asked_at BIGINT NOT NULL,
  at BIGINT NOT NULL,
  -- The last entry when it was asked for, and when this was written: what was sent in between may be in it or not.
  asked_after BIGINT NOT NULL,
  kept_after BIGINT NOT NULL,
  -- Of a link of the chain, what may be booked only after it; null where another reading overlaps this one, so that it is none.
  unbooked TEXT,
  -- The link before, where its balance was another.
  changed_from BIGINT REFERENCES balance_readings (seq) CHECK (changed_from IS NULL OR (changed_from < seq AND unbooked IS NOT NULL)),
  went_back INTEGER NOT NULL CHECK (went_back IN (0, 1))
);
CREATE INDEX balance_links ON balance_readings (seq) WHERE unbooked IS NOT NULL;
CREATE INDEX balance_links_by_time ON balance_readings (at, seq) WHERE unbooked IS NOT NULL;
CREATE INDEX balance_changes ON balance_readings (seq) WHERE changed_from IS NOT NULL;
CREATE INDEX balance_changes_by_time ON balance_readings (at, seq) WHERE changed_from IS NOT NULL;
CREATE UNIQUE INDEX balance_one_change_a_link ON balance_readings (changed_from) WHERE changed_from IS NOT NULL;

-- What had been sent, and could explain a change.
CREATE TABLE balance_change_purchases (
  reading BIGINT NOT NULL REFERENCES balance_readings (seq),
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  PRIMARY KEY (reading, purchase_id)
);
CREATE INDEX balance_change_purchases_by_purchase ON balance_change_purchases (purchase_id, reading);

-- Only added to. A link at which nothing has changed may be removed when it is old: no sum is another without it.
CREATE TRIGGER balance_readings_no_update BEFORE UPDATE ON balance_readings
  FOR EACH ROW EXECUTE FUNCTION refuse_change('balance readings are kept as they were');
CREATE TRIGGER balance_readings_no_truncate BEFORE TRUNCATE ON balance_readings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('balance readings are kept as they were');
-- The one before a change is kept by the reference to it.
CREATE TRIGGER balance_readings_no_delete BEFORE DELETE ON balance_readings
  FOR EACH ROW WHEN (OLD.changed_from IS NOT NULL)
  EXECUTE FUNCTION refuse_change('the balance changed at this reading: it is kept');
CREATE TRIGGER balance_change_purchases_no_change BEFORE UPDATE OR DELETE ON balance_change_purchases
  FOR EACH ROW EXECUTE FUNCTION refuse_change('balance readings are kept as they were');
CREATE TRIGGER balance_change_purchases_no_truncate BEFORE TRUNCATE ON balance_change_purchases
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('balance readings are kept as they were');

-- What an IP costs, as observed: amount divided by divisor, of which both may be longer than a number.
CREATE TABLE observed_prices (
  kind TEXT NOT NULL,
  product_id TEXT NOT NULL,
  country TEXT NOT NULL,
  amount TEXT NOT NULL,
  divisor TEXT NOT NULL,
  since BIGINT NOT NULL,
  latest BIGINT NOT NULL,
  observations INTEGER NOT NULL,
  PRIMARY KEY (kind, product_id, country)
);

-- The reading at an interval: nobody takes it until then, for so long from when that was written; and how often it has failed in a row.
ALTER TABLE desk ADD COLUMN interval_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE desk ADD COLUMN interval_for BIGINT NOT NULL DEFAULT 0;
ALTER TABLE desk ADD COLUMN interval_failures INTEGER NOT NULL DEFAULT 0;
