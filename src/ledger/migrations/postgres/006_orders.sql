-- What people said about an order is an entry too: of an order instead of a purchase.
ALTER TABLE entries ADD COLUMN order_id TEXT CHECK (order_id COLLATE "C" ~ '^[0-9]+$');
CREATE INDEX entries_by_order ON entries (order_id, seq) WHERE order_id IS NOT NULL;

-- By which orders are found. All of it is computed from purchases and entries, and can be computed again.
CREATE TABLE orders (
  order_id TEXT PRIMARY KEY,
  owner TEXT,
  intent TEXT,
  -- When it ends, as computed; far away where that is not known.
  ends_at BIGINT NOT NULL
);
CREATE INDEX orders_by_end ON orders (ends_at, order_id);
CREATE INDEX orders_by_owner ON orders (owner, ends_at, order_id);
CREATE TABLE order_countries (
  country TEXT NOT NULL,
  ends_at BIGINT NOT NULL,
  order_id TEXT NOT NULL,
  PRIMARY KEY (country, ends_at, order_id)
);
CREATE INDEX order_countries_by_order ON order_countries (order_id);
CREATE INDEX purchases_unnamed ON purchases (seq) WHERE kind = 'buy' AND state = 'completed' AND order_id IS NULL;

-- Orders whose row is to be computed again, whichever version of the bot has written: calendars are not computed in SQL.
CREATE TABLE stale_orders (order_id TEXT PRIMARY KEY);
INSERT INTO stale_orders SELECT DISTINCT order_id FROM purchases WHERE order_id IS NOT NULL AND state = 'completed';

CREATE FUNCTION stale_orders_of_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stale_orders SELECT id FROM (VALUES (NEW.order_id), (OLD.order_id)) AS named (id) WHERE id IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER purchases_stale_order AFTER UPDATE OF state, order_id ON purchases
  FOR EACH ROW WHEN (NEW.state = 'completed') EXECUTE FUNCTION stale_orders_of_purchase();

CREATE FUNCTION stale_order_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stale_orders VALUES (NEW.order_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_stale_order AFTER INSERT ON entries
  FOR EACH ROW WHEN (NEW.order_id IS NOT NULL) EXECUTE FUNCTION stale_order_of_entry();
