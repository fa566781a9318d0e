CREATE OR REPLACE FUNCTION sums_follow_adjustment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  bought purchases;
BEGIN
  UPDATE purchases SET refunded = refunded - NEW.amount, link_tax_back = link_tax_back - NEW.link_tax WHERE id = NEW.purchase_id RETURNING * INTO bought;
  PERFORM sums_write(ARRAY(SELECT p FROM adjustment_parts(bought, NEW, 1) p));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER sums_of_adjustment AFTER INSERT ON adjustments
  FOR EACH ROW EXECUTE FUNCTION sums_follow_adjustment();
