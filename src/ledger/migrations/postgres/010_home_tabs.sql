-- Who has opened the Home tab, and whether what it shows is out of date: `wanted` rises with whatever it should show, `shown` is what
-- was published last.
CREATE TABLE home_tabs (
  user_id TEXT PRIMARY KEY,
  -- As of what was published last: the id by which purchases and orders name this person besides, and whether they decide.
  person TEXT,
  decides INTEGER NOT NULL DEFAULT 0 CHECK (decides IN (0, 1)),
  wanted BIGINT NOT NULL DEFAULT 1,
  shown BIGINT NOT NULL DEFAULT 0,
  -- Somebody's rights may have changed: what is remembered of them does not do.
  recheck INTEGER NOT NULL DEFAULT 0 CHECK (recheck IN (0, 1)),
  -- Slack's, of the view that was published last; null where it is not known.
  hash TEXT,
  due_at BIGINT NOT NULL DEFAULT 0,
  claimed_until BIGINT NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX home_tabs_by_person ON home_tabs (person);
CREATE INDEX home_tabs_stale ON home_tabs (due_at) WHERE wanted > shown;

-- A purchase is shown to whoever asked for it, and to those who may decide it.
CREATE FUNCTION stale_home_of_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1
  WHERE user_id IN (NEW.requester, NEW.requester_person) OR person IN (NEW.requester, NEW.requester_person)
    OR (decides = 1 AND (NEW.state IN ('requested', 'unknown') OR (TG_OP = 'UPDATE' AND OLD.state IN ('requested', 'unknown'))));
  RETURN NULL;
END $$;
CREATE TRIGGER purchases_stale_home_of_filing AFTER INSERT ON purchases FOR EACH ROW EXECUTE FUNCTION stale_home_of_purchase();
CREATE TRIGGER purchases_stale_home AFTER UPDATE OF version ON purchases
  FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION stale_home_of_purchase();

CREATE FUNCTION stale_home_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1
  WHERE (TG_OP <> 'DELETE' AND (user_id = NEW.owner OR person = NEW.owner))
    OR (TG_OP <> 'INSERT' AND (user_id = OLD.owner OR person = OLD.owner));
  RETURN NULL;
END $$;
CREATE TRIGGER orders_stale_home AFTER INSERT OR UPDATE OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION stale_home_of_order();

-- A freeze is shown to everybody.
CREATE FUNCTION stale_homes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER desk_stale_home AFTER UPDATE OF frozen_at ON desk
  FOR EACH ROW WHEN (NEW.frozen_at IS DISTINCT FROM OLD.frozen_at) EXECUTE FUNCTION stale_homes();
