-- Alphabetical order is the order of precedence: admin, moderator, user.
CREATE OR REPLACE FUNCTION update_top_role() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed_user uuid := coalesce(NEW.user_id, OLD.user_id);
  top text := coalesce((SELECT min(role) FROM user_roles WHERE user_id = changed_user), 'user');
BEGIN
  UPDATE profiles SET top_role = top WHERE user_id = changed_user AND top_role <> top;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER top_role_updated AFTER INSERT OR UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION update_top_role();
