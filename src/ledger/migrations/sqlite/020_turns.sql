-- Whoever asks for much is answered in parts, each found by an index: SQLite answers within the process that acks clicks.

-- What was sent in a time.
CREATE INDEX entries_of_sending_by_time ON entries (at, seq) WHERE to_state = 'sending';
-- When the bot has frozen spending, among all that was said of no purchase.
CREATE INDEX entries_of_freezes ON entries (seq) WHERE kind = 'frozen';
-- By state and kind too: of an index without them, it is thought that it finds more than the one of all that is completed.
DROP INDEX purchases_unnamed;
CREATE INDEX purchases_unnamed ON purchases (kind, state, seq) WHERE kind = 'buy' AND state = 'completed' AND order_id IS NULL;

-- A person's orders in one country, whichever version of the bot writes the row.
ALTER TABLE order_countries ADD COLUMN owner TEXT;
UPDATE order_countries SET owner = (SELECT o.owner FROM orders o WHERE o.order_id = order_countries.order_id);
CREATE INDEX order_countries_by_owner ON order_countries (owner, country, ends_at, order_id);
CREATE TRIGGER order_countries_owner AFTER INSERT ON order_countries WHEN NEW.owner IS NULL
BEGIN
  UPDATE order_countries SET owner = (SELECT owner FROM orders WHERE order_id = NEW.order_id)
  WHERE country = NEW.country AND ends_at = NEW.ends_at AND order_id = NEW.order_id;
END;

-- The messages of what is open are to be drawn again, of all purchases after this one; null where they are. It is said once, and done in
-- parts. A ledger that the bot itself has frozen may be a backup, frozen when it was made: nobody has drawn that yet.
ALTER TABLE desk ADD COLUMN redraw_after INTEGER;
UPDATE desk SET redraw_after = 0 WHERE frozen_by = 'desk';
CREATE TRIGGER desk_redraw AFTER UPDATE OF frozen_by, frozen_reason, frozen_at ON desk
BEGIN
  UPDATE desk SET redraw_after = 0 WHERE id = NEW.id;
END;

-- What it shows rests on what else its requester has asked for. Of what an earlier version has drawn, nobody knows.
ALTER TABLE notices ADD COLUMN beside INTEGER NOT NULL DEFAULT 1 CHECK (beside IN (0, 1));
