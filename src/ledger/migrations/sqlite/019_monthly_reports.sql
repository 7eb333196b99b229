-- The month whose report is owed next: the last one in which a bot that reports has looked. Empty where none has yet.
ALTER TABLE desk ADD COLUMN report_month TEXT NOT NULL DEFAULT '';
