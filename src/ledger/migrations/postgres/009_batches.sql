-- Renewals that were asked for together, on one submit: they are decided on together, and each is a purchase of its own.
CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  submission TEXT NOT NULL,
  requester TEXT NOT NULL,
  requester_person TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX batches_one_submission ON batches (submission);
CREATE TRIGGER batches_no_change BEFORE UPDATE OR DELETE ON batches
  FOR EACH ROW EXECUTE FUNCTION refuse_change('batches are kept as they were filed');
CREATE TRIGGER batches_no_truncate BEFORE TRUNCATE ON batches
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('batches are kept as they were filed');

ALTER TABLE purchases ADD COLUMN batch_id TEXT REFERENCES batches (id);
ALTER TABLE purchases ADD COLUMN batch_place INTEGER CHECK ((batch_place IS NULL) = (batch_id IS NULL));
CREATE UNIQUE INDEX purchases_by_batch ON purchases (batch_id, batch_place) WHERE batch_id IS NOT NULL;
CREATE TRIGGER purchases_frozen_batch BEFORE UPDATE OF batch_id, batch_place ON purchases
  FOR EACH ROW EXECUTE FUNCTION refuse_change('the content of a purchase is frozen');

-- Messages about a batch are drawn again when a row of it has changed, whichever version of the bot has changed it.
ALTER TABLE notices ADD COLUMN batch_id TEXT REFERENCES batches (id);
CREATE INDEX notices_by_batch ON notices (batch_id) WHERE batch_id IS NOT NULL;
CREATE FUNCTION redraw_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE notices SET pending = 1 WHERE batch_id = NEW.batch_id AND done = 0;
  RETURN NULL;
END $$;
CREATE TRIGGER purchases_redraw_batch AFTER UPDATE OF version ON purchases
  FOR EACH ROW WHEN (NEW.batch_id IS NOT NULL AND NEW.version > OLD.version) EXECUTE FUNCTION redraw_batch();
