-- What each completed purchase has cost by itself, as observed, or else was expected to cost at its filing: so that a limit in dollars adds
-- up a month and does not read it. Computed from purchases, entries and balance readings, and can be computed again.
CREATE TABLE purchase_costs (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  person TEXT NOT NULL,
  completed_at BIGINT NOT NULL,
  -- The amount divided by the divisor; null where nothing of its own is known, so that what is expected now counts.
  amount TEXT,
  divisor TEXT NOT NULL
);
CREATE INDEX purchase_costs_known ON purchase_costs (completed_at, amount, divisor, person) WHERE amount IS NOT NULL;
CREATE INDEX purchase_costs_unknown ON purchase_costs (completed_at) WHERE amount IS NULL;

-- Whose row is to be computed again, and is none until then, whichever version of the bot has written: what was completed, and all that
-- may explain the same movement as a purchase of which something else is known now.
CREATE TABLE stale_costs (purchase_id TEXT PRIMARY KEY REFERENCES purchases (id));
-- More than a month of the past, by the clock of the last entry: of all times in the ledger the one that is most likely right.
INSERT INTO stale_costs SELECT id FROM purchases
  WHERE state = 'completed' AND changed_at > (SELECT at FROM entries ORDER BY seq DESC LIMIT 1) - 93 * 86400000::BIGINT;

CREATE FUNCTION stale_costs_beside(sent TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stale_costs SELECT DISTINCT other.purchase_id
    FROM balance_change_purchases own JOIN balance_change_purchases other ON other.reading = own.reading
    WHERE own.purchase_id = sent
    ON CONFLICT DO NOTHING;
  DELETE FROM purchase_costs WHERE purchase_id IN (SELECT other.purchase_id
    FROM balance_change_purchases own JOIN balance_change_purchases other ON other.reading = own.reading
    WHERE own.purchase_id = sent);
END $$;

CREATE FUNCTION stale_costs_of_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stale_costs VALUES (NEW.id) ON CONFLICT DO NOTHING;
  DELETE FROM purchase_costs WHERE purchase_id = NEW.id;
  PERFORM stale_costs_beside(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER purchases_stale_cost AFTER UPDATE OF state, changed_at ON purchases
  FOR EACH ROW WHEN (NEW.state <> OLD.state OR NEW.changed_at <> OLD.changed_at) EXECUTE FUNCTION stale_costs_of_purchase();

CREATE FUNCTION stale_costs_of_sent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM stale_costs_beside(CASE TG_OP WHEN 'DELETE' THEN OLD.purchase_id ELSE NEW.purchase_id END);
  RETURN NULL;
END $$;
CREATE TRIGGER balance_change_purchases_stale_cost AFTER INSERT ON balance_change_purchases
  FOR EACH ROW EXECUTE FUNCTION stale_costs_of_sent();
-- While a reading is due, what was declined may have taken money.
CREATE TRIGGER readings_stale_cost AFTER INSERT OR DELETE ON readings
  FOR EACH ROW EXECUTE FUNCTION stale_costs_of_sent();
