-- Which attempt is asked for now: an answer that failed is repeated under its idempotency key, so the next one needs another.
ALTER TABLE "checkouts" ADD COLUMN "attempt" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "attempt" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "subtotal" numeric(10, 2);--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "purchase_id" uuid;--> statement-breakpoint
CREATE TABLE "failed_refunds" (
	"external_id" text PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"dismissed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "failed_refunds" ADD CONSTRAINT "failed_refunds_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "failed_refunds_of_purchase" ON "failed_refunds" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "failed_refunds_open" ON "failed_refunds" USING btree ("created_at" DESC NULLS FIRST,"external_id") WHERE "failed_refunds"."dismissed_at" is null;--> statement-breakpoint
CREATE TABLE "payment_faults" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"about" text,
	"product_id" uuid,
	"words" text NOT NULL,
	"key_fingerprint" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_faults" ADD CONSTRAINT "payment_faults_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
