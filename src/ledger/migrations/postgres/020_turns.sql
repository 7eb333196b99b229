-- Whoever asks for much is answered in parts, each found by an index.

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
CREATE FUNCTION owner_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT o.owner INTO NEW.owner FROM orders o WHERE o.order_id = NEW.order_id;
  RETURN NEW;
END $$;
CREATE TRIGGER order_countries_owner BEFORE INSERT ON order_countries
  FOR EACH ROW WHEN (NEW.owner IS NULL) EXECUTE FUNCTION owner_of_order();

-- The messages of what is open are to be drawn again, of all purchases after this one; null where they are. It is said once, and done in
-- parts. A ledger that the bot itself has frozen may be a backup, frozen when it was made: nobody has drawn that yet.
ALTER TABLE desk ADD COLUMN redraw_after BIGINT;
UPDATE desk SET redraw_after = 0 WHERE frozen_by = 'desk';
CREATE FUNCTION redraw_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.redraw_after := 0;
  RETURN NEW;
END $$;
CREATE TRIGGER desk_redraw BEFORE UPDATE OF frozen_by, frozen_reason, frozen_at ON desk FOR EACH ROW EXECUTE FUNCTION redraw_open();

-- What it shows rests on what else its requester has asked for. Of what an earlier version has drawn, nobody knows.
ALTER TABLE notices ADD COLUMN beside INTEGER NOT NULL DEFAULT 1 CHECK (beside IN (0, 1));
