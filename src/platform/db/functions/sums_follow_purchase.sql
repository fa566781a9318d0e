-- Days before users, always: two purchases that change at the same moment cannot deadlock.
CREATE OR REPLACE FUNCTION sums_follow_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM sums_write(ARRAY(SELECT n FROM purchase_parts(NEW, 1) n));
    PERFORM sums_add_user(NEW, 1);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM sums_write(ARRAY(SELECT o FROM purchase_parts(OLD, -1) o));
    PERFORM sums_add_user(OLD, -1);
  ELSE
    IF (OLD.status, OLD.amount, OLD.refunded, OLD.link_tax, OLD.link_tax_back, OLD.product_id, OLD.created_at, OLD.country, OLD.code_id)
      IS DISTINCT FROM (NEW.status, NEW.amount, NEW.refunded, NEW.link_tax, NEW.link_tax_back, NEW.product_id, NEW.created_at, NEW.country, NEW.code_id) THEN
      PERFORM sums_write(ARRAY(SELECT o FROM purchase_parts(OLD, -1) o UNION ALL SELECT n FROM purchase_parts(NEW, 1) n));
    END IF;
    IF (OLD.status, OLD.amount, OLD.refunded, OLD.user_id, OLD.created_at)
      IS DISTINCT FROM (NEW.status, NEW.amount, NEW.refunded, NEW.user_id, NEW.created_at) THEN
      PERFORM sums_add_user(OLD, -1);
      PERFORM sums_add_user(NEW, 1);
    END IF;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Deferred: the rows of the sums are locked only at commit, so that concurrent purchases do not wait for each other.
CREATE CONSTRAINT TRIGGER sums_of_purchase AFTER INSERT OR DELETE
  OR UPDATE OF status, amount, refunded, link_tax, link_tax_back, product_id, user_id, created_at, country, code_id ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sums_follow_purchase();
