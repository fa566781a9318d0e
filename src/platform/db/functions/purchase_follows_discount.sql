-- This version writes the country and the code of a purchase itself, and the number of an edition and a user's top role:
-- the triggers that do so (country_of_shipment, code_of_purchase, number_edition, top_role_updated) are for a process of
-- the version before that runs beside it, and find nothing to change otherwise. The version after this one drops them.
CREATE OR REPLACE FUNCTION purchase_follows_discount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE purchases SET code_id = NEW.code_id WHERE id = NEW.purchase_id AND code_id IS DISTINCT FROM NEW.code_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER code_of_purchase AFTER INSERT OR UPDATE OF code_id ON discount_uses
  FOR EACH ROW EXECUTE FUNCTION purchase_follows_discount();
