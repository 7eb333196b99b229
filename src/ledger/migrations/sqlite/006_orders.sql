-- What people said about an order is an entry too: of an order instead of a purchase.
ALTER TABLE entries ADD COLUMN order_id TEXT CHECK (order_id <> '' AND order_id NOT GLOB '*[^0-9]*');
CREATE INDEX entries_by_order ON entries (order_id, seq) WHERE order_id IS NOT NULL;

-- By which orders are found. All of it is computed from purchases and entries, and can be computed again.
CREATE TABLE orders (
  order_id TEXT PRIMARY KEY,
  owner TEXT,
  intent TEXT,
  -- When it ends, as computed; far away where that is not known.
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_by_end ON orders (ends_at, order_id);
CREATE INDEX orders_by_owner ON orders (owner, ends_at, order_id);
CREATE TABLE order_countries (
  country TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  order_id TEXT NOT NULL,
  PRIMARY KEY (country, ends_at, order_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX order_countries_by_order ON order_countries (order_id);
CREATE INDEX purchases_unnamed ON purchases (seq) WHERE kind = 'buy' AND state = 'completed' AND order_id IS NULL;

-- Orders whose row is to be computed again, whichever version of the bot has written: calendars are not computed in SQL.
CREATE TABLE stale_orders (order_id TEXT PRIMARY KEY) STRICT;
INSERT INTO stale_orders SELECT DISTINCT order_id FROM purchases WHERE order_id IS NOT NULL AND state = 'completed';

CREATE TRIGGER purchases_stale_order AFTER UPDATE OF state, order_id ON purchases WHEN NEW.state = 'completed'
BEGIN
  INSERT INTO stale_orders SELECT NEW.order_id WHERE NEW.order_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM stale_orders WHERE order_id = NEW.order_id);
  INSERT INTO stale_orders SELECT OLD.order_id WHERE OLD.order_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM stale_orders WHERE order_id = OLD.order_id);
END;
CREATE TRIGGER entries_stale_order AFTER INSERT ON entries WHEN NEW.order_id IS NOT NULL
BEGIN
  INSERT INTO stale_orders SELECT NEW.order_id WHERE NOT EXISTS (SELECT 1 FROM stale_orders WHERE order_id = NEW.order_id);
END;
