-- What a person said of money that left the account is an entry too: of the reading that showed it.
ALTER TABLE entries ADD COLUMN reading INTEGER;
CREATE INDEX entries_by_reading ON entries (reading, seq) WHERE reading IS NOT NULL;
CREATE UNIQUE INDEX entries_one_known_fall ON entries (reading) WHERE kind = 'fall_known';
-- Copies of what was told, one for each approver.
CREATE INDEX notices_of_fall ON notices (text) WHERE kind = 'fall';

-- Up to which reading everything that changed is final and has been told.
ALTER TABLE desk ADD COLUMN judged_up_to INTEGER NOT NULL DEFAULT 0;
-- The reading at which it was told that the balance is low, or enough for a few days; 0 since it is not.
ALTER TABLE desk ADD COLUMN low_since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE desk ADD COLUMN short_since INTEGER NOT NULL DEFAULT 0;
-- What was before is no news.
UPDATE desk SET judged_up_to = (SELECT COALESCE(MAX(seq), 0) FROM balance_readings);
