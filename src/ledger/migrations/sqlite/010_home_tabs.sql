-- Who has opened the Home tab, and whether what it shows is out of date: `wanted` rises with whatever it should show, `shown` is what
-- was published last.
CREATE TABLE home_tabs (
  user_id TEXT PRIMARY KEY,
  -- As of what was published last: the id by which purchases and orders name this person besides, and whether they decide.
  person TEXT,
  decides INTEGER NOT NULL DEFAULT 0 CHECK (decides IN (0, 1)),
  wanted INTEGER NOT NULL DEFAULT 1,
  shown INTEGER NOT NULL DEFAULT 0,
  -- Somebody's rights may have changed: what is remembered of them does not do.
  recheck INTEGER NOT NULL DEFAULT 0 CHECK (recheck IN (0, 1)),
  -- Slack's, of the view that was published last; null where it is not known.
  hash TEXT,
  due_at INTEGER NOT NULL DEFAULT 0,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX home_tabs_by_person ON home_tabs (person);
CREATE INDEX home_tabs_stale ON home_tabs (due_at) WHERE wanted > shown;

-- A purchase is shown to whoever asked for it, and to those who may decide it.
CREATE TRIGGER purchases_stale_home_of_filing AFTER INSERT ON purchases
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1
  WHERE user_id IN (NEW.requester, NEW.requester_person) OR person IN (NEW.requester, NEW.requester_person)
    OR (decides = 1 AND NEW.state = 'requested');
END;
CREATE TRIGGER purchases_stale_home AFTER UPDATE OF version ON purchases WHEN NEW.version <> OLD.version
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1
  WHERE user_id IN (NEW.requester, NEW.requester_person) OR person IN (NEW.requester, NEW.requester_person)
    OR (decides = 1 AND (NEW.state IN ('requested', 'unknown') OR OLD.state IN ('requested', 'unknown')));
END;
CREATE TRIGGER orders_stale_home_of_new AFTER INSERT ON orders
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1 WHERE user_id = NEW.owner OR person = NEW.owner;
END;
CREATE TRIGGER orders_stale_home AFTER UPDATE ON orders
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1 WHERE user_id IN (OLD.owner, NEW.owner) OR person IN (OLD.owner, NEW.owner);
END;
CREATE TRIGGER orders_stale_home_of_gone AFTER DELETE ON orders
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1 WHERE user_id = OLD.owner OR person = OLD.owner;
END;
-- A freeze is shown to everybody.
CREATE TRIGGER desk_stale_home AFTER UPDATE OF frozen_at ON desk WHEN NEW.frozen_at IS NOT OLD.frozen_at
BEGIN
  UPDATE home_tabs SET wanted = wanted + 1;
END;
