-- The ledger. Times are milliseconds since 1970, booleans 0 or 1, order ids text (they exceed 2^53).

CREATE TABLE listed_transitions (
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  PRIMARY KEY (from_state, to_state)
) STRICT;
INSERT INTO listed_transitions VALUES
  ('requested', 'approved'), ('requested', 'rejected'), ('requested', 'withdrawn'), ('requested', 'expired'),
  ('approved', 'sending'), ('approved', 'withdrawn'), ('approved', 'expired'), ('approved', 'declined'),
  ('sending', 'completed'), ('sending', 'declined'), ('sending', 'unknown'), ('sending', 'approved'),
  ('declined', 'unknown'),
  ('unknown', 'completed'), ('unknown', 'declined');

CREATE TABLE purchases (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
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
  order_id TEXT CHECK (order_id <> '' AND order_id NOT GLOB '*[^0-9]*'),
  reason TEXT NOT NULL,
  submission TEXT NOT NULL UNIQUE,
  content_key TEXT NOT NULL,
  needs_approval INTEGER NOT NULL CHECK (needs_approval IN (0, 1)),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  send_by INTEGER,
  send_after INTEGER,
  attempt TEXT,
  attempt_deadline INTEGER,
  declined_how TEXT CHECK (declined_how IN ('vendor', 'not_sent', 'settled')),
  why TEXT,
  -- Who made the latest transition, and what it rests on: the trigger below turns them into an entry.
  changed_by TEXT NOT NULL,
  evidence TEXT NOT NULL,
  CHECK (kind = 'buy' OR order_id IS NOT NULL),
  CHECK (state <> 'approved' OR send_by IS NOT NULL),
  CHECK (state <> 'sending' OR (attempt IS NOT NULL AND attempt_deadline IS NOT NULL)),
  CHECK (state <> 'declined' OR declined_how IS NOT NULL)
) STRICT;

-- The lane: at most one purchase is being sent.
CREATE UNIQUE INDEX purchases_one_sending ON purchases (state) WHERE state = 'sending';
CREATE UNIQUE INDEX purchases_one_buy_an_order ON purchases (order_id) WHERE kind = 'buy' AND order_id IS NOT NULL;
CREATE INDEX purchases_by_content ON purchases (content_key, seq);
CREATE INDEX purchases_by_person ON purchases (requester_person, seq);
CREATE INDEX purchases_by_state ON purchases (state, seq);
CREATE INDEX purchases_by_order ON purchases (order_id) WHERE order_id IS NOT NULL;

CREATE TABLE entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  purchase_id TEXT REFERENCES purchases (id),
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX entries_by_purchase ON entries (purchase_id, seq);
-- The order in which purchases were sent.
CREATE INDEX entries_of_sending ON entries (seq) WHERE to_state = 'sending';

CREATE TABLE readings (
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  nth INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (purchase_id, nth)
) STRICT;
CREATE INDEX readings_by_due ON readings (due_at);

CREATE TABLE notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  purchase_id TEXT REFERENCES purchases (id),
  kind TEXT NOT NULL,
  audience TEXT NOT NULL,
  about TEXT,
  text TEXT,
  by TEXT,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  channel TEXT,
  ts TEXT,
  -- It is to be posted or edited.
  pending INTEGER NOT NULL DEFAULT 1 CHECK (pending IN (0, 1)),
  failed TEXT,
  -- Nothing more is done about it.
  done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1))
) STRICT;
CREATE INDEX notices_by_purchase ON notices (purchase_id);
CREATE INDEX notices_pending ON notices (due_at) WHERE pending = 1;

CREATE TABLE drafts (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  revision INTEGER NOT NULL,
  content TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_by_age ON drafts (changed_at);

-- One row: what holds for the whole desk.
CREATE TABLE desk (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  frozen_by TEXT,
  frozen_reason TEXT,
  frozen_at INTEGER
) STRICT;
INSERT INTO desk (id) VALUES (1);

-- Entries are only ever added; a REPLACE would get past the first two.
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER entries_no_replace BEFORE INSERT ON entries WHEN EXISTS (SELECT 1 FROM entries WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;

CREATE TRIGGER purchases_no_delete BEFORE DELETE ON purchases BEGIN SELECT RAISE(ABORT, 'purchases are kept'); END;
CREATE TRIGGER purchases_no_replace BEFORE INSERT ON purchases
WHEN EXISTS (
  SELECT 1 FROM purchases WHERE id = NEW.id OR submission = NEW.submission OR seq = NEW.seq
    OR (kind = 'buy' AND NEW.kind = 'buy' AND order_id = NEW.order_id))
BEGIN SELECT RAISE(ABORT, 'purchases are kept'); END;
-- UPDATE OR REPLACE would delete the row that is in the way.
CREATE TRIGGER purchases_no_replace_by_update BEFORE UPDATE OF state, order_id ON purchases
WHEN (NEW.state = 'sending' AND EXISTS (SELECT 1 FROM purchases WHERE state = 'sending' AND id <> NEW.id))
  OR (NEW.kind = 'buy' AND EXISTS (SELECT 1 FROM purchases WHERE kind = 'buy' AND order_id = NEW.order_id AND id <> NEW.id))
BEGIN SELECT RAISE(ABORT, 'one purchase is sent at a time, and one buy has an order'); END;

CREATE TRIGGER purchases_frozen_content
BEFORE UPDATE OF seq, id, kind, requester, requester_person, plan, basket, quantity, reason, submission, content_key, needs_approval,
  created_at, expires_at ON purchases
BEGIN SELECT RAISE(ABORT, 'the content of a purchase is frozen'); END;
CREATE TRIGGER purchases_frozen_order BEFORE UPDATE OF order_id ON purchases
WHEN OLD.kind = 'renew' AND NEW.order_id IS NOT OLD.order_id
BEGIN SELECT RAISE(ABORT, 'the order to renew is frozen'); END;

CREATE TRIGGER purchases_filed_undecided_or_approved BEFORE INSERT ON purchases WHEN NEW.state NOT IN ('requested', 'approved')
BEGIN SELECT RAISE(ABORT, 'no such transition'); END;
CREATE TRIGGER purchases_listed_transitions BEFORE UPDATE OF state ON purchases
WHEN NEW.state <> OLD.state
  AND NOT EXISTS (SELECT 1 FROM listed_transitions WHERE from_state = OLD.state AND to_state = NEW.state)
BEGIN SELECT RAISE(ABORT, 'no such transition'); END;

-- A transition without an entry is impossible.
CREATE TRIGGER purchases_entry_of_filing AFTER INSERT ON purchases
BEGIN
  INSERT INTO entries (purchase_id, at, by, from_state, to_state, kind, detail)
  VALUES (NEW.id, NEW.changed_at, NEW.changed_by, NULL, NEW.state, 'transition', NEW.evidence);
END;
CREATE TRIGGER purchases_entry_of_transition AFTER UPDATE OF state ON purchases WHEN NEW.state <> OLD.state
BEGIN
  INSERT INTO entries (purchase_id, at, by, from_state, to_state, kind, detail)
  VALUES (NEW.id, NEW.changed_at, NEW.changed_by, OLD.state, NEW.state, 'transition', NEW.evidence);
END;
