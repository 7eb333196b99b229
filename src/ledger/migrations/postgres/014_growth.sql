-- However large the ledger grows, what is done at every click reads what is recent and what is open, and no more.

-- What somebody has asked for: of late, and what is still open.
CREATE INDEX purchases_by_person_lately ON purchases (requester_person, changed_at);
CREATE INDEX purchases_by_open_person ON purchases (requester_person, seq) WHERE state IN ('requested', 'approved', 'sending', 'unknown');
-- The same of what was asked for before.
CREATE INDEX purchases_by_content_lately ON purchases (content_key, changed_at);
CREATE INDEX purchases_by_open_content ON purchases (content_key, seq) WHERE state IN ('requested', 'approved', 'sending', 'unknown');
-- Messages that have no place yet: those of no purchase are looked for once a minute.
CREATE INDEX notices_nowhere ON notices (purchase_id, batch_id) WHERE done = 0 AND ts IS NULL;
