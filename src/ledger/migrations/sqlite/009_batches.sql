-- Renewals that were asked for together, on one submit: they are decided on together, and each is a purchase of its own.
CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  submission TEXT NOT NULL,
  requester TEXT NOT NULL,
  requester_person TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX batches_one_submission ON batches (submission);
CREATE TRIGGER batches_no_update BEFORE UPDATE ON batches BEGIN SELECT RAISE(ABORT, 'batches are kept as they were filed'); END;
CREATE TRIGGER batches_no_delete BEFORE DELETE ON batches BEGIN SELECT RAISE(ABORT, 'batches are kept as they were filed'); END;
CREATE TRIGGER batches_no_replace BEFORE INSERT ON batches
WHEN EXISTS (SELECT 1 FROM batches WHERE id = NEW.id OR submission = NEW.submission)
BEGIN SELECT RAISE(ABORT, 'batches are kept as they were filed'); END;

ALTER TABLE purchases ADD COLUMN batch_id TEXT REFERENCES batches (id);
ALTER TABLE purchases ADD COLUMN batch_place INTEGER CHECK ((batch_place IS NULL) = (batch_id IS NULL));
CREATE UNIQUE INDEX purchases_by_batch ON purchases (batch_id, batch_place) WHERE batch_id IS NOT NULL;
CREATE TRIGGER purchases_frozen_batch BEFORE UPDATE OF batch_id, batch_place ON purchases
BEGIN SELECT RAISE(ABORT, 'the content of a purchase is frozen'); END;

-- Messages about a batch are drawn again when a row of it has changed, whichever version of the bot has changed it.
ALTER TABLE notices ADD COLUMN batch_id TEXT REFERENCES batches (id);
CREATE INDEX notices_by_batch ON notices (batch_id) WHERE batch_id IS NOT NULL;
CREATE TRIGGER purchases_redraw_batch AFTER UPDATE OF version ON purchases WHEN NEW.batch_id IS NOT NULL AND NEW.version > OLD.version
BEGIN
  UPDATE notices SET pending = 1 WHERE batch_id = NEW.batch_id AND done = 0;
END;
