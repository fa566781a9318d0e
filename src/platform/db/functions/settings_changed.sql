CREATE OR REPLACE FUNCTION settings_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('settings', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER settings_changed AFTER INSERT OR UPDATE OR DELETE ON "settings"
  FOR EACH STATEMENT EXECUTE FUNCTION settings_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER setting_secrets_changed AFTER INSERT OR UPDATE OR DELETE ON "auth"."setting_secrets"
  FOR EACH STATEMENT EXECUTE FUNCTION settings_changed();
