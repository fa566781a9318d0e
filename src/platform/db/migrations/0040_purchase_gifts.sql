CREATE TABLE "gift_links" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"revision" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchase_gifts" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"recipient_name" text DEFAULT '' NOT NULL,
	"sender_name" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"send_at" timestamp with time zone NOT NULL,
	"revision" uuid NOT NULL,
	"queued_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	"opened_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "gift_of" uuid;--> statement-breakpoint
ALTER TABLE "gift_links" ADD CONSTRAINT "gift_links_purchase_id_purchase_gifts_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase_gifts"("purchase_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_gifts" ADD CONSTRAINT "purchase_gifts_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gift_links_of_gift" ON "gift_links" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "purchase_gifts_due" ON "purchase_gifts" USING btree ("send_at") WHERE "purchase_gifts"."queued_at" is null;--> statement-breakpoint
CREATE INDEX "purchase_gifts_unopened" ON "purchase_gifts" USING btree ("sent_at") WHERE "purchase_gifts"."opened_at" is null and "purchase_gifts"."reminded_at" is null;--> statement-breakpoint
CREATE INDEX "purchase_gifts_of_address" ON "purchase_gifts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "purchases_received" ON "purchases" USING btree ("gift_of") WHERE "purchases"."gift_of" is not null;
--> statement-breakpoint
-- A copy that was received counts with the purchase of who gave it.
CREATE OR REPLACE FUNCTION purchase_parts(bought purchases, sign integer) RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (bought.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id,
    CASE WHEN i.counts AND bought.status <> 'canceled' THEN sign ELSE 0 END,
    CASE WHEN i.counts AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    CASE WHEN i.is_sale AND bought.amount > 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.is_sale THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    0::numeric,
    CASE WHEN i.is_sale AND bought.amount = 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN bought.is_test AND bought.gift_of IS NULL AND i.is_paid THEN sign ELSE 0 END,
    CASE WHEN i.is_sale AND bought.amount > 0 THEN sign ELSE 0 END,
    CASE WHEN i.is_sale AND bought.amount > 0 AND i.is_paid THEN sign ELSE 0 END
  FROM sums_settings s CROSS JOIN LATERAL (SELECT
    bought.gift_of IS NULL AND (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency) AS counts,
    bought.gift_of IS NULL AND NOT bought.is_test AND (bought.amount = 0 OR bought.currency = s.currency) AS is_sale,
    bought.status NOT IN ('pending', 'canceled') AS is_paid) i
$$;
