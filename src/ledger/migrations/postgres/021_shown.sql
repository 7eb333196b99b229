-- A digest of the message that Slack has certainly taken last where the notice stands, so that it is not edited into what it is already;
-- null where nobody knows.
ALTER TABLE notices ADD COLUMN shown TEXT;
-- From the lease on whoever has leased it may edit it, and may end before that is written down. Where no lease is, what is written down
-- comes late, over what another has drawn since. An earlier version does both, and knows nothing of this column.
CREATE FUNCTION forget_shown() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.shown := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER notices_shown BEFORE UPDATE OF claimed_until ON notices
  FOR EACH ROW WHEN (NEW.claimed_until > 0 OR OLD.claimed_until = 0) EXECUTE FUNCTION forget_shown();
