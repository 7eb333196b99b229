-- How many purchases of each kind are in each state: kept with every change, so that nobody has to count them. Since when the oldest of
-- an open state is in it is looked up, since those are few.
CREATE TABLE purchase_counts (
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  count BIGINT NOT NULL CHECK (count >= 0),
  PRIMARY KEY (state, kind)
);
INSERT INTO purchase_counts SELECT state, kind, COUNT(*) FROM purchases GROUP BY state, kind;

CREATE FUNCTION count_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE purchase_counts SET count = count - 1 WHERE state = OLD.state AND kind = OLD.kind;
  END IF;
  INSERT INTO purchase_counts VALUES (NEW.state, NEW.kind, 1) ON CONFLICT (state, kind) DO UPDATE SET count = purchase_counts.count + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER purchases_count_filing AFTER INSERT ON purchases FOR EACH ROW EXECUTE FUNCTION count_purchase();
CREATE TRIGGER purchases_count_transition AFTER UPDATE OF state ON purchases
  FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION count_purchase();

DROP INDEX purchases_by_state_and_kind;
