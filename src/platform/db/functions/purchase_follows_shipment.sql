CREATE OR REPLACE FUNCTION purchase_follows_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE purchases SET country = NEW.country WHERE id = NEW.purchase_id AND country IS DISTINCT FROM NEW.country;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- An erased address leaves the country.
CREATE OR REPLACE TRIGGER country_of_shipment AFTER INSERT OR UPDATE OF country ON shipments
  FOR EACH ROW WHEN (NEW.country IS NOT NULL) EXECUTE FUNCTION purchase_follows_shipment();
