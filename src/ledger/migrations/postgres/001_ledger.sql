-- The ledger. Times are milliseconds since 1970, booleans 0 or 1, JSON text as it was written, order ids text (they exceed 2^53).
-- Numbered like the migrations for SQLite, which say the same in its language.

CREATE TABLE listed_transitions (
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  PRIMARY KEY (from_state, to_state)
);
INSERT INTO listed_transitions VALUES
  ('requested', 'approved'), ('requested', 'rejected'), ('requested', 'withdrawn'), ('requested', 'expired'),
  ('approved', 'sending'), ('approved', 'withdrawn'), ('approved', 'expired'), ('approved', 'declined'),
  ('sending', 'completed'), ('sending', 'declined'), ('sending', 'unknown'), ('sending', 'approved'),
  ('declined', 'unknown'),
  ('unknown', 'completed'), ('unknown', 'declined');

CREATE TABLE purchases (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('buy', 'renew')),
  state TEXT NOT NULL CHECK (state IN (
    'requested', 'approved', 'sending', 'completed', 'declined', 'unknown', 'rejected', 'withdrawn', 'expired')),
  version INTEGER NOT NULL DEFAULT 1,
  requester TEXT NOT NULL,
  requester_person TEXT NOT NULL,
  approver TEXT,
  plan TEXT NOT NULL,
  basket TEXT NOT NULL,
  quantity INTEGER CHECK (quantity > 0),
  order_id TEXT CHECK (order_id COLLATE "C" ~ '^[0-9]+$'),
  reason TEXT NOT NULL,
  submission TEXT NOT NULL UNIQUE,
  content_key TEXT NOT NULL,
  needs_approval INTEGER NOT NULL CHECK (needs_approval IN (0, 1)),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  send_by BIGINT,
  send_after BIGINT,
  attempt TEXT,
  attempt_deadline BIGINT,
  declined_how TEXT CHECK (declined_how IN ('vendor', 'not_sent', 'settled')),
  why TEXT,
  -- Who made the latest transition, and what it rests on: the trigger below turns them into an entry.
  changed_by TEXT NOT NULL,
  evidence TEXT NOT NULL,
  CHECK (kind = 'buy' OR order_id IS NOT NULL),
  CHECK (state <> 'approved' OR send_by IS NOT NULL),
  CHECK (state <> 'sending' OR (attempt IS NOT NULL AND attempt_deadline IS NOT NULL)),
  CHECK (state <> 'declined' OR declined_how IS NOT NULL)
);

-- The lane: at most one purchase is being sent.
CREATE UNIQUE INDEX purchases_one_sending ON purchases (state) WHERE state = 'sending';
CREATE UNIQUE INDEX purchases_one_buy_an_order ON purchases (order_id) WHERE kind = 'buy' AND order_id IS NOT NULL;
CREATE INDEX purchases_by_content ON purchases (content_key, seq);
CREATE INDEX purchases_by_person ON purchases (requester_person, seq);
CREATE INDEX purchases_by_state ON purchases (state, seq);
CREATE INDEX purchases_by_order ON purchases (order_id) WHERE order_id IS NOT NULL;

CREATE TABLE entries (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  purchase_id TEXT REFERENCES purchases (id),
  at BIGINT NOT NULL,
  by TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX entries_by_purchase ON entries (purchase_id, seq);
-- The order in which purchases were sent.
CREATE INDEX entries_of_sending ON entries (seq) WHERE to_state = 'sending';

CREATE TABLE readings (
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  nth INTEGER NOT NULL,
  due_at BIGINT NOT NULL,
  PRIMARY KEY (purchase_id, nth)
);
CREATE INDEX readings_by_due ON readings (due_at);

CREATE TABLE notices (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  purchase_id TEXT REFERENCES purchases (id),
  kind TEXT NOT NULL,
  audience TEXT NOT NULL,
  about TEXT,
  text TEXT,
  by TEXT,
  created_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  claimed_until BIGINT NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  channel TEXT,
  ts TEXT,
  -- It is to be posted or edited.
  pending INTEGER NOT NULL DEFAULT 1 CHECK (pending IN (0, 1)),
  failed TEXT,
  -- Nothing more is done about it.
  done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1))
);
CREATE INDEX notices_by_purchase ON notices (purchase_id);
CREATE INDEX notices_pending ON notices (due_at) WHERE pending = 1;

CREATE TABLE drafts (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  revision INTEGER NOT NULL,
  content TEXT NOT NULL,
  changed_at BIGINT NOT NULL
);
CREATE INDEX drafts_by_age ON drafts (changed_at);

-- One row: what holds for the whole desk. Whoever writes anything locks it first, so that all writes take turns.
CREATE TABLE desk (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  frozen_by TEXT,
  frozen_reason TEXT,
  frozen_at BIGINT
);
INSERT INTO desk (id) VALUES (1);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Entries are only ever added. TRUNCATE fires no trigger of a row.
CREATE TRIGGER entries_no_change BEFORE UPDATE OR DELETE ON entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change('entries are append-only');
CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('entries are append-only');

CREATE TRIGGER purchases_no_delete BEFORE DELETE ON purchases
  FOR EACH ROW EXECUTE FUNCTION refuse_change('purchases are kept');
CREATE TRIGGER purchases_no_truncate BEFORE TRUNCATE ON purchases
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('purchases are kept');

CREATE TRIGGER purchases_frozen_content
  BEFORE UPDATE OF seq, id, kind, requester, requester_person, plan, basket, quantity, reason, submission, content_key,
    needs_approval, created_at, expires_at ON purchases
  FOR EACH ROW EXECUTE FUNCTION refuse_change('the content of a purchase is frozen');
CREATE TRIGGER purchases_frozen_order BEFORE UPDATE OF order_id ON purchases
  FOR EACH ROW WHEN (OLD.kind = 'renew' AND NEW.order_id IS DISTINCT FROM OLD.order_id)
  EXECUTE FUNCTION refuse_change('the order to renew is frozen');

CREATE TRIGGER purchases_filed_undecided_or_approved BEFORE INSERT ON purchases
  FOR EACH ROW WHEN (NEW.state NOT IN ('requested', 'approved')) EXECUTE FUNCTION refuse_change('no such transition');
CREATE FUNCTION refuse_unlisted_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM listed_transitions WHERE from_state = OLD.state AND to_state = NEW.state) THEN
    RAISE EXCEPTION 'no such transition' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER purchases_listed_transitions BEFORE UPDATE OF state ON purchases
  FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION refuse_unlisted_transition();

-- A transition without an entry is impossible.
CREATE FUNCTION write_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO entries (purchase_id, at, by, from_state, to_state, kind, detail)
  VALUES (NEW.id, NEW.changed_at, NEW.changed_by, CASE WHEN TG_OP = 'UPDATE' THEN OLD.state END, NEW.state, 'transition', NEW.evidence);
  RETURN NULL;
END $$;
CREATE TRIGGER purchases_entry_of_filing AFTER INSERT ON purchases FOR EACH ROW EXECUTE FUNCTION write_transition();
CREATE TRIGGER purchases_entry_of_transition AFTER UPDATE OF state ON purchases
  FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION write_transition();
