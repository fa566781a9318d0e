CREATE OR REPLACE FUNCTION count_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_count AS c (shard, users)
  VALUES (pg_backend_pid() % 16, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END)
  ON CONFLICT (shard) DO UPDATE SET users = c.users + excluded.users;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO user_sums (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Not deferred: a purchase in the same transaction needs the user's row in user_sums.
CREATE OR REPLACE TRIGGER users_counted AFTER INSERT OR DELETE ON profiles
  FOR EACH ROW EXECUTE FUNCTION count_user();
