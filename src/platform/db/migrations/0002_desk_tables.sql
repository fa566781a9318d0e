CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- The sums are made anew by the next migration.
DROP TRIGGER sales_day_insert_delete ON purchases;
--> statement-breakpoint
DROP TRIGGER sales_day_update ON purchases;
--> statement-breakpoint
DROP FUNCTION sales_day_follow();
--> statement-breakpoint
DROP FUNCTION sales_day_add(purchases, integer);
--> statement-breakpoint
TRUNCATE sales_day;
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" text,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"ip" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "adjustments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"external_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "adjustments_external_id_unique" UNIQUE("external_id"),
	CONSTRAINT "adjustments_kind" CHECK (kind in ('refund', 'dispute', 'dispute_won'))
);
--> statement-breakpoint
CREATE TABLE "unsettled_files" (
	"file_path" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people_count" (
	"shard" smallint PRIMARY KEY NOT NULL,
	"people" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reader_sums" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"total_purchases" integer DEFAULT 0 NOT NULL,
	"total_spent" numeric(14, 2) DEFAULT 0 NOT NULL,
	"last_purchase" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sums_settings" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"time_zone" text NOT NULL
);
--> statement-breakpoint
DROP INDEX "contact_messages_newest";--> statement-breakpoint
DROP INDEX "product_files_newest";--> statement-breakpoint
DROP INDEX "profiles_newest";--> statement-breakpoint
DROP INDEX "purchases_newest";--> statement-breakpoint
DROP INDEX "purchases_own";--> statement-breakpoint
ALTER TABLE "sales_day" DROP CONSTRAINT "sales_day_day_format_shard_pk";--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "read_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "product_files" ADD COLUMN "file_size" bigint;--> statement-breakpoint
ALTER TABLE "product_files" ADD COLUMN "findings" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "cover_path" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "is_for_sale" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "top_role" text DEFAULT 'user' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "refunded" numeric(10, 2) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day" ADD COLUMN "product_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day" ADD CONSTRAINT "sales_day_day_product_id_shard_pk" PRIMARY KEY("day","product_id","shard");--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_sums" ADD CONSTRAINT "reader_sums_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "audit_log" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_log_search" ON "audit_log" USING gin (("actor" || ' ' || "action" || ' ' || "subject" || ' ' || "detail"::text) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "adjustments_of_purchase" ON "adjustments" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "reader_sums_by_purchases" ON "reader_sums" USING btree ("total_purchases" DESC NULLS FIRST,"user_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "reader_sums_by_spent" ON "reader_sums" USING btree ("total_spent" DESC NULLS FIRST,"user_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "reader_sums_by_last" ON "reader_sums" USING btree (coalesce("last_purchase", '-infinity') desc,"user_id" DESC NULLS FIRST);--> statement-breakpoint
ALTER TABLE "sales_day" ADD CONSTRAINT "sales_day_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "profiles_by_name" ON "profiles" USING btree (lower(coalesce("display_name", "email")),"user_id");--> statement-breakpoint
CREATE INDEX "profiles_by_role" ON "profiles" USING btree ("top_role","user_id");--> statement-breakpoint
CREATE INDEX "profiles_search" ON "profiles" USING gin (("email" || ' ' || coalesce("display_name", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "purchases_of_product" ON "purchases" USING btree ("product_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "purchases_unusual" ON "purchases" USING btree ("status","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "purchases"."status" <> 'completed';--> statement-breakpoint
CREATE INDEX "contact_messages_newest" ON "contact_messages" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "product_files_newest" ON "product_files" USING btree ("product_id","file_format","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "profiles_newest" ON "profiles" USING btree ("created_at" DESC NULLS FIRST,"user_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "purchases_newest" ON "purchases" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "purchases_own" ON "purchases" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
ALTER TABLE "sales_day" DROP COLUMN "format";--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_refunded" CHECK ("purchases"."refunded" between 0 and "purchases"."amount");