-- What was given back goes where its purchase goes, and before its rows are deleted with it.
CREATE OR REPLACE FUNCTION sums_move_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM sums_write(ARRAY(
      SELECT p FROM adjustments a, adjustment_parts(OLD, a, -1) p WHERE a.purchase_id = OLD.id));
    RETURN OLD;
  END IF;
  IF (OLD.product_id, OLD.country, OLD.code_id) IS DISTINCT FROM (NEW.product_id, NEW.country, NEW.code_id) THEN
    PERFORM sums_write(ARRAY(
      SELECT p FROM adjustments a, adjustment_parts(OLD, a, -1) p WHERE a.purchase_id = OLD.id
      UNION ALL SELECT p FROM adjustments a, adjustment_parts(NEW, a, 1) p WHERE a.purchase_id = OLD.id));
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER sums_of_moved_purchase BEFORE DELETE OR UPDATE OF product_id, country, code_id ON purchases
  FOR EACH ROW EXECUTE FUNCTION sums_move_adjustments();
