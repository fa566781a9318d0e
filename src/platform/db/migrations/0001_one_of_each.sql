-- Six triggers of the sums become three, and four of a purchase's status one. They come first, as they lock the table.

-- contract: unused since 0.2.0, whose triggers below do the same work for a process of the version before, too.
DROP TRIGGER sums_of_purchase ON purchases;
DROP TRIGGER sums_of_changed_purchase ON purchases;
DROP TRIGGER sums_of_placed_purchase ON purchases;
DROP TRIGGER sums_of_deleted_purchase ON purchases;
DROP TRIGGER sums_of_moved_purchase ON purchases;
DROP FUNCTION sums_remove_adjustments();
DROP TRIGGER discount_of_purchase ON purchases;
DROP TRIGGER shipments_of_changed_purchase ON purchases;
DROP TRIGGER shipments_of_purchase ON purchases;
DROP TRIGGER stock_of_purchase ON purchases;
DROP FUNCTION discount_follows_purchase();
DROP FUNCTION shipments_of_changed_purchase();
DROP FUNCTION shipments_of_new_purchase();
DROP FUNCTION stock_follows_purchase();
--> statement-breakpoint
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
    IF (OLD.status, OLD.amount, OLD.refunded, OLD.product_id, OLD.created_at, OLD.country, OLD.code_id)
      IS DISTINCT FROM (NEW.status, NEW.amount, NEW.refunded, NEW.product_id, NEW.created_at, NEW.country, NEW.code_id) THEN
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
  OR UPDATE OF status, amount, refunded, product_id, user_id, created_at, country, code_id ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sums_follow_purchase();
--> statement-breakpoint
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
CREATE TRIGGER sums_of_moved_purchase BEFORE DELETE OR UPDATE OF product_id, country, code_id ON purchases
  FOR EACH ROW EXECUTE FUNCTION sums_move_adjustments();
--> statement-breakpoint
-- A purchase's status, however it came to be: its parcel, once it is paid; and what it gives back when it ends, the use of
-- its code and its copies in stock. Rows are locked in this order.
CREATE FUNCTION follow_purchase_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- A test payment never counts as a use of its discount code; one made by an older version ceases to.
  uses_code boolean := NEW.status <> 'canceled' AND NOT NEW.is_test;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF is_completed(NEW.status) THEN
      PERFORM shipments_add(NEW);
    END IF;
    RETURN NULL;
  END IF;
  IF OLD.status = NEW.status THEN
    RETURN NULL;
  END IF;
  IF 'canceled' IN (OLD.status, NEW.status) THEN
    UPDATE discount_uses SET is_counted = uses_code WHERE purchase_id = NEW.id AND is_counted <> uses_code;
    IF FOUND THEN
      UPDATE discount_codes SET uses = uses + CASE WHEN uses_code THEN 1 ELSE -1 END
        WHERE id = (SELECT code_id FROM discount_uses WHERE purchase_id = NEW.id);
    END IF;
  END IF;
  UPDATE shipments SET is_paid = is_completed(NEW.status) WHERE purchase_id = NEW.id;
  IF NOT FOUND AND is_completed(NEW.status) THEN
    PERFORM shipments_add(NEW);
  END IF;
  IF NEW.status = 'canceled' OR NEW.status = 'refunded'
    AND NOT EXISTS (SELECT FROM shipments WHERE purchase_id = NEW.id AND shipped_at IS NOT NULL) THEN
    PERFORM FROM stock WHERE product_id IN (SELECT product_id FROM taken_copies WHERE purchase_id = NEW.id)
      ORDER BY product_id FOR UPDATE;
    UPDATE stock SET copies = copies + 1, updated_at = now()
      WHERE product_id IN (SELECT product_id FROM taken_copies WHERE purchase_id = NEW.id);
    DELETE FROM taken_copies WHERE purchase_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER status_of_purchase AFTER INSERT OR UPDATE OF status ON purchases
  FOR EACH ROW EXECUTE FUNCTION follow_purchase_status();
--> statement-breakpoint
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
-- A test order counts as any other until the shop takes money or an own book opens.
CREATE FUNCTION counts_tests() RETURNS boolean STABLE LANGUAGE sql
  RETURN (SELECT s.counts_tests FROM sums_settings s);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION is_in_sums(bought purchases) RETURNS boolean STABLE LANGUAGE sql
  RETURN (SELECT (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency)
    FROM sums_settings s);
--> statement-breakpoint
-- A copy that was received counts with the purchase of who gave it.
CREATE OR REPLACE FUNCTION purchase_parts(bought purchases, sign integer) RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (bought.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id,
    CASE WHEN i.counts AND bought.status <> 'canceled' THEN sign ELSE 0 END,
    CASE WHEN i.counts AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    0::numeric,
    CASE WHEN i.counts AND bought.amount = 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN bought.is_test AND NOT s.counts_tests AND bought.gift_of IS NULL AND i.is_paid THEN sign ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 THEN sign ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 AND i.is_paid THEN sign ELSE 0 END
  FROM sums_settings s CROSS JOIN LATERAL (SELECT
    bought.gift_of IS NULL AND (NOT bought.is_test OR s.counts_tests)
      AND (bought.amount = 0 OR bought.currency = s.currency) AS counts,
    bought.status NOT IN ('pending', 'canceled') AS is_paid) i
$$;
--> statement-breakpoint
-- An adjustment counts on its own day, for the product, country and code of its purchase.
CREATE OR REPLACE FUNCTION adjustment_parts(bought purchases, made adjustments, sign integer)
RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (made.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id, 0, 0,
    sign * made.amount, 0, 0::numeric, -sign * made.amount, 0, 0, 0, 0
  FROM sums_settings s
  WHERE (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency)
$$;
--> statement-breakpoint
-- Until now a test order was counted in three of the sums and left out of the others.
DO $$
BEGIN
  IF counts_tests() AND EXISTS (SELECT FROM purchases WHERE is_test) THEN
    PERFORM sums_rebuild();
  END IF;
END
$$;
--> statement-breakpoint
-- What was tried out and never paid: everything of the sample, and what an admin bought. It counts as before, so that
-- the sums stay; where test orders have ceased to count, such orders were marked then.
UPDATE purchases SET is_test = true
WHERE counts_tests() AND NOT is_test AND amount > 0
  AND NOT EXISTS (SELECT FROM checkouts c WHERE c.purchase_id = purchases.id)
  AND (NOT (EXISTS (SELECT FROM book_setup WHERE step = 'done') OR coalesce(
      (SELECT document ->> 'title' <> '{product} that Change Everything' FROM book_versions ORDER BY number DESC LIMIT 1), false))
    OR EXISTS (SELECT FROM user_roles r WHERE r.user_id = purchases.user_id AND r.role = 'admin'));
--> statement-breakpoint

--> statement-breakpoint
CREATE TABLE "scheduled_emails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"about" uuid NOT NULL,
	"user_id" uuid,
	"version" text DEFAULT '' NOT NULL,
	"due_at" timestamp with time zone,
	"queued_at" timestamp with time zone,
	"mail_id" uuid,
	"outcome" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "scheduled_emails_once" UNIQUE NULLS NOT DISTINCT("kind","about","user_id","version"),
	CONSTRAINT "scheduled_emails_kind" CHECK (kind in ('gift_to_someone', 'release_out', 'release_moved', 'release_waitlist', 'gift_waiting', 'gift_unopened', 'edition')),
	CONSTRAINT "scheduled_emails_outcome" CHECK (outcome in ('sent', 'skipped', 'failed'))
);
--> statement-breakpoint
-- contract: unused since 0.1.1
DROP INDEX "mails_kept";--> statement-breakpoint
ALTER TABLE "scheduled_emails" ADD CONSTRAINT "scheduled_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scheduled_emails_due" ON "scheduled_emails" USING btree ("kind","due_at","id") WHERE "scheduled_emails"."queued_at" is null;--> statement-breakpoint
CREATE INDEX "scheduled_emails_under_way" ON "scheduled_emails" USING btree ("queued_at") WHERE "scheduled_emails"."queued_at" is not null and "scheduled_emails"."outcome" is null;--> statement-breakpoint
CREATE INDEX "scheduled_emails_queued" ON "scheduled_emails" USING btree ("queued_at");--> statement-breakpoint
CREATE INDEX "scheduled_emails_of_user" ON "scheduled_emails" USING btree ("user_id") WHERE "scheduled_emails"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "mails_unsent" ON "mails" USING btree ("created_at") WHERE "mails"."status" = 'kept';--> statement-breakpoint
-- What the version before has scheduled, for as long as its tables stay: what has its outcome, and what is still unsent.
-- Its jobs that wait are taken off the queue; what it is sending at this moment stays for the next call. Rows of its own
-- are deleted, or marked as queued, so that it sends nothing of them.
CREATE FUNCTION take_over_emails() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  former CONSTANT text[] := ARRAY['mail.edition', 'mail.release_out', 'mail.release_moved', 'mail.release_waitlist', 'mail.purchase_gift'];
  active uuid[] := '{}';
  active_gifts uuid[] := '{}';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('lectern edition mails'));
  IF to_regclass('pgboss.job') IS NOT NULL THEN
    WITH waiting AS (
      DELETE FROM pgboss.job WHERE name = ANY(former) AND state < 'active' RETURNING id, name, data)
    INSERT INTO scheduled_emails (kind, about, version, due_at, mail_id)
      SELECT data ->> 'kind', (data ->> 'purchase_id')::uuid, data ->> 'revision', now(), id
      FROM waiting WHERE name = 'mail.purchase_gift'
      ON CONFLICT DO NOTHING;
    SELECT coalesce(array_agg(id) FILTER (WHERE name <> 'mail.purchase_gift'), '{}'),
        coalesce(array_agg((data ->> 'purchase_id')::uuid) FILTER (WHERE name = 'mail.purchase_gift'), '{}')
      INTO active, active_gifts
      FROM pgboss.job WHERE name = ANY(former) AND state < 'completed';
  END IF;

  WITH taken AS (
    DELETE FROM edition_mails WHERE mail_id IS NULL OR mail_id <> ALL(active) RETURNING *)
  INSERT INTO scheduled_emails (kind, about, user_id, due_at, queued_at, mail_id, outcome, settled_at)
    SELECT 'edition', t.file_id, t.user_id, CASE WHEN a.paused_at IS NULL THEN a.created_at END,
      CASE WHEN t.outcome IS NOT NULL THEN t.queued_at END, t.mail_id, t.outcome,
      CASE WHEN t.outcome IS NOT NULL THEN t.queued_at END
    FROM taken t JOIN edition_announcements a USING (file_id)
    ON CONFLICT DO NOTHING;

  WITH taken AS (
    DELETE FROM release_mails WHERE mail_id IS NULL OR mail_id <> ALL(active) RETURNING *)
  INSERT INTO scheduled_emails (kind, about, user_id, version, due_at, queued_at, mail_id, outcome, settled_at)
    SELECT 'release_' || news, product_id, user_id, release_on::text, now(),
      CASE WHEN outcome IS NOT NULL THEN queued_at END, mail_id, outcome,
      CASE WHEN outcome IS NOT NULL THEN queued_at END
    FROM taken JOIN auth.users u ON u.id = user_id
    ON CONFLICT DO NOTHING;

  WITH released AS (
    UPDATE release_waitlist w SET queued_at = now() FROM products p
    WHERE p.id = w.product_id AND p.release_queued_at IS NOT NULL AND w.confirmed_at IS NOT NULL AND w.email <> ''
      AND w.outcome IS NULL AND (w.queued_at IS NULL OR w.mail_id <> ALL(active))
    RETURNING w.id, w.mail_id)
  INSERT INTO scheduled_emails (kind, about, due_at, mail_id)
    SELECT 'release_waitlist', id, now(), mail_id FROM released
    ON CONFLICT DO NOTHING;
  DELETE FROM release_waitlist WHERE outcome IS NOT NULL;

  INSERT INTO scheduled_emails (kind, about, version, due_at, queued_at, outcome, settled_at)
    SELECT 'gift_to_someone', purchase_id, revision::text, send_at,
      queued_at, CASE WHEN failed_at IS NOT NULL THEN 'failed' WHEN sent_at IS NOT NULL THEN 'sent'
        WHEN queued_at IS NOT NULL THEN 'skipped' END,
      coalesce(failed_at, sent_at, queued_at)
    FROM purchase_gifts WHERE purchase_id IS NOT NULL AND purchase_id <> ALL(active_gifts)
    ON CONFLICT DO NOTHING;
  INSERT INTO scheduled_emails (kind, about, version, due_at)
    SELECT kind, purchase_id, revision::text, sent_at + interval '30 days'
    FROM purchase_gifts, unnest(ARRAY['gift_waiting', 'gift_unopened']) kind
    WHERE purchase_id <> ALL(active_gifts) AND sent_at IS NOT NULL AND opened_at IS NULL AND reminded_at IS NULL
    ON CONFLICT DO NOTHING;
  UPDATE purchase_gifts SET queued_at = coalesce(queued_at, now()), reminded_at = coalesce(reminded_at, now())
    WHERE purchase_id <> ALL(active_gifts) AND (queued_at IS NULL OR reminded_at IS NULL);
END $$;
--> statement-breakpoint
SELECT take_over_emails();
