-- A ledger that went back in time, by a backup or by a standby that took over, may have forgotten that a purchase was sent: whatever
-- its state was then, nobody can tell.
INSERT INTO listed_transitions VALUES
  ('requested', 'unknown'), ('approved', 'unknown'), ('rejected', 'unknown'), ('withdrawn', 'unknown'), ('expired', 'unknown');
