-- Clicks, commands and submitted views that have counted, by Slack's trigger id: it is the same however often one is delivered.
CREATE TABLE clicks (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  result TEXT NOT NULL CHECK (result IN ('done', 'refused'))
) STRICT;
