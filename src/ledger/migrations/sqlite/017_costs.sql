-- What each completed purchase has cost by itself, as observed, or else was expected to cost at its filing: so that a limit in dollars adds
-- up a month and does not read it. Computed from purchases, entries and balance readings, and can be computed again.
CREATE TABLE purchase_costs (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  person TEXT NOT NULL,
  completed_at INTEGER NOT NULL,
  -- The amount divided by the divisor; null where nothing of its own is known, so that what is expected now counts.
  amount TEXT,
  divisor TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX purchase_costs_known ON purchase_costs (completed_at, amount, divisor, person) WHERE amount IS NOT NULL;
CREATE INDEX purchase_costs_unknown ON purchase_costs (completed_at) WHERE amount IS NULL;

-- Whose row is to be computed again, and is none until then, whichever version of the bot has written: what was completed, and all that
-- may explain the same movement as a purchase of which something else is known now.
CREATE TABLE stale_costs (purchase_id TEXT PRIMARY KEY REFERENCES purchases (id)) STRICT, WITHOUT ROWID;
-- More than a month of the past, by the clock of the last entry: of all times in the ledger the one that is most likely right.
INSERT INTO stale_costs SELECT id FROM purchases
  WHERE state = 'completed' AND changed_at > (SELECT at FROM entries ORDER BY seq DESC LIMIT 1) - 93 * 86400000;

-- What may explain a movement together with a purchase, itself among them.
CREATE VIEW purchases_beside AS SELECT own.purchase_id AS purchase_id, other.purchase_id AS beside
  FROM balance_change_purchases own JOIN balance_change_purchases other ON other.reading = own.reading;

CREATE TRIGGER purchases_stale_cost AFTER UPDATE OF state, changed_at ON purchases
WHEN NEW.state <> OLD.state OR NEW.changed_at <> OLD.changed_at
BEGIN
  INSERT INTO stale_costs SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM stale_costs WHERE purchase_id = NEW.id);
  INSERT INTO stale_costs SELECT DISTINCT beside FROM purchases_beside
    WHERE purchase_id = NEW.id AND NOT EXISTS (SELECT 1 FROM stale_costs s WHERE s.purchase_id = beside);
  DELETE FROM purchase_costs WHERE purchase_id = NEW.id OR purchase_id IN (SELECT beside FROM purchases_beside WHERE purchase_id = NEW.id);
END;
CREATE TRIGGER balance_change_purchases_stale_cost AFTER INSERT ON balance_change_purchases
BEGIN
  INSERT INTO stale_costs SELECT DISTINCT other.purchase_id FROM balance_change_purchases other
    WHERE other.reading = NEW.reading AND NOT EXISTS (SELECT 1 FROM stale_costs s WHERE s.purchase_id = other.purchase_id);
  DELETE FROM purchase_costs WHERE purchase_id IN (SELECT purchase_id FROM balance_change_purchases WHERE reading = NEW.reading);
END;
-- While a reading is due, what was declined may have taken money.
CREATE TRIGGER readings_due_stale_cost AFTER INSERT ON readings
BEGIN
  INSERT INTO stale_costs SELECT DISTINCT beside FROM purchases_beside
    WHERE purchase_id = NEW.purchase_id AND NOT EXISTS (SELECT 1 FROM stale_costs s WHERE s.purchase_id = beside);
  DELETE FROM purchase_costs WHERE purchase_id IN (SELECT beside FROM purchases_beside WHERE purchase_id = NEW.purchase_id);
END;
CREATE TRIGGER readings_done_stale_cost AFTER DELETE ON readings
BEGIN
  INSERT INTO stale_costs SELECT DISTINCT beside FROM purchases_beside
    WHERE purchase_id = OLD.purchase_id AND NOT EXISTS (SELECT 1 FROM stale_costs s WHERE s.purchase_id = beside);
  DELETE FROM purchase_costs WHERE purchase_id IN (SELECT beside FROM purchases_beside WHERE purchase_id = OLD.purchase_id);
END;
