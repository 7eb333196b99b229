-- Which purchase a message belongs to whose button was pressed.
CREATE INDEX notices_by_place ON notices (channel, ts) WHERE ts IS NOT NULL;
