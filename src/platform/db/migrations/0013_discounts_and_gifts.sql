CREATE TABLE "discount_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"percent" integer,
	"amount_off" numeric(10, 2),
	"product_id" uuid,
	"max_uses" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"ends_on" date,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discount_codes_terms" CHECK (num_nonnulls("discount_codes"."percent", "discount_codes"."amount_off") = 1),
	CONSTRAINT "discount_codes_percent" CHECK ("discount_codes"."percent" between 1 and 100),
	CONSTRAINT "discount_codes_amount_off" CHECK ("discount_codes"."amount_off" > 0)
);
--> statement-breakpoint
CREATE TABLE "discount_uses" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"code_id" uuid NOT NULL,
	"discount" numeric(10, 2) NOT NULL,
	"is_counted" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gifts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"product_id" uuid,
	"code_id" uuid,
	"purchase_id" uuid,
	"message" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gifts_product" UNIQUE("product_id","email"),
	CONSTRAINT "gifts_code" UNIQUE("code_id","email"),
	CONSTRAINT "gifts_present" CHECK (num_nonnulls("gifts"."product_id", "gifts"."code_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "is_given" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_code_id_discount_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."discount_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_code_id_discount_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."discount_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "discount_codes_current" ON "discount_codes" USING btree ("code") WHERE "discount_codes"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "discount_uses_of_code" ON "discount_uses" USING btree ("code_id");--> statement-breakpoint
CREATE INDEX "gifts_newest" ON "gifts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
-- A canceled purchase gives the use of its discount code back; one that is paid after all takes it again.
CREATE FUNCTION discount_follows_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted boolean := NEW.status <> 'canceled';
BEGIN
  UPDATE discount_uses SET is_counted = counted WHERE purchase_id = NEW.id AND is_counted <> counted;
  IF FOUND THEN
    UPDATE discount_codes SET uses = uses + CASE WHEN counted THEN 1 ELSE -1 END
      WHERE id = (SELECT code_id FROM discount_uses WHERE purchase_id = NEW.id);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER discount_of_purchase AFTER UPDATE OF status ON purchases
  FOR EACH ROW WHEN ((OLD.status = 'canceled') IS DISTINCT FROM (NEW.status = 'canceled'))
  EXECUTE FUNCTION discount_follows_purchase();
