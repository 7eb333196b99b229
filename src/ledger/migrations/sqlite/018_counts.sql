-- How many purchases of each kind are in each state: kept with every change, so that nobody has to count them. Since when the oldest of
-- an open state is in it is looked up, since those are few.
CREATE TABLE purchase_counts (
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  PRIMARY KEY (state, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO purchase_counts SELECT state, kind, COUNT(*) FROM purchases GROUP BY state, kind;

CREATE TRIGGER purchases_count_filing AFTER INSERT ON purchases
BEGIN
  INSERT INTO purchase_counts VALUES (NEW.state, NEW.kind, 1) ON CONFLICT (state, kind) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER purchases_count_transition AFTER UPDATE OF state ON purchases WHEN NEW.state <> OLD.state
BEGIN
  UPDATE purchase_counts SET count = count - 1 WHERE state = OLD.state AND kind = OLD.kind;
  INSERT INTO purchase_counts VALUES (NEW.state, NEW.kind, 1) ON CONFLICT (state, kind) DO UPDATE SET count = count + 1;
END;

DROP INDEX purchases_by_state_and_kind;
