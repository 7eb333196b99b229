-- Whoever decides reads what is open, and what was closed of late: since when a purchase is closed, null while it is open. A step from one
-- open state to the next leaves it as it is, and so need not write the indexes in which it stands.
DROP INDEX purchases_by_person_lately;
DROP INDEX purchases_by_open_person;
DROP INDEX purchases_by_content;
DROP INDEX purchases_by_content_lately;
DROP INDEX purchases_by_open_content;
ALTER TABLE purchases ADD COLUMN closed_at INTEGER;
UPDATE purchases SET closed_at = changed_at WHERE state NOT IN ('requested', 'approved', 'sending', 'unknown');

-- Whichever version of the bot writes.
CREATE TRIGGER purchases_closed AFTER UPDATE OF state, changed_at ON purchases
WHEN NEW.closed_at IS NOT CASE WHEN NEW.state NOT IN ('requested', 'approved', 'sending', 'unknown') THEN NEW.changed_at END
BEGIN
  UPDATE purchases SET closed_at = CASE WHEN state NOT IN ('requested', 'approved', 'sending', 'unknown') THEN changed_at END
  WHERE seq = NEW.seq;
END;

CREATE INDEX purchases_by_person_closed ON purchases (requester_person, closed_at, seq);
CREATE INDEX purchases_by_content_closed ON purchases (content_key, closed_at, seq);

-- What was never sent explains no movement of the balance.
DROP TRIGGER purchases_stale_cost;
CREATE TRIGGER purchases_stale_cost AFTER UPDATE OF state, changed_at ON purchases
WHEN (NEW.state <> OLD.state OR NEW.changed_at <> OLD.changed_at) AND (OLD.state NOT IN ('requested', 'approved')
  OR EXISTS (SELECT 1 FROM balance_change_purchases WHERE purchase_id = NEW.id))
BEGIN
  INSERT INTO stale_costs SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM stale_costs WHERE purchase_id = NEW.id);
  INSERT INTO stale_costs SELECT DISTINCT beside FROM purchases_beside
    WHERE purchase_id = NEW.id AND NOT EXISTS (SELECT 1 FROM stale_costs s WHERE s.purchase_id = beside);
  DELETE FROM purchase_costs WHERE purchase_id = NEW.id OR purchase_id IN (SELECT beside FROM purchases_beside WHERE purchase_id = NEW.id);
END;

-- What is posted of a purchase is to be drawn again with each change that people see, as what is posted of its batch is.
CREATE TRIGGER purchases_redraw AFTER UPDATE OF version ON purchases WHEN NEW.version > OLD.version
BEGIN
  UPDATE notices SET pending = 1 WHERE purchase_id = NEW.id AND done = 0;
END;
