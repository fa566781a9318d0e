CREATE TABLE "release_waiters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"email" text NOT NULL,
	"hash" "bytea",
	"asked_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"queued_at" timestamp with time zone,
	"mail_id" uuid,
	"outcome" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "release_waiters_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "release_waiters" ADD CONSTRAINT "release_waiters_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "release_waiters_once" ON "release_waiters" USING btree ("product_id","email") WHERE "release_waiters"."email" <> '';--> statement-breakpoint
CREATE INDEX "release_waiters_of_address" ON "release_waiters" USING btree ("email");--> statement-breakpoint
CREATE INDEX "release_waiters_waiting" ON "release_waiters" USING btree ("product_id","id") WHERE "release_waiters"."queued_at" is null and "release_waiters"."confirmed_at" is not null;