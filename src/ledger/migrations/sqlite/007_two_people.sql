-- Who said yes first, where two people have to. Never the requester, and never the same as the one who then decides: not in an earlier
-- version either, which knows nothing of two.
ALTER TABLE purchases ADD COLUMN first_approver TEXT CHECK (first_approver <> requester AND first_approver <> approver);
