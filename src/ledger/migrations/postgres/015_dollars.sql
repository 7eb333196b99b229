-- What was completed since the month began, for the limits in dollars.
CREATE INDEX purchases_completed ON purchases (changed_at) WHERE state = 'completed';
