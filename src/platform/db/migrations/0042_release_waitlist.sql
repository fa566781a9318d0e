CREATE TABLE "release_waitlist" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"email" text NOT NULL,
	"hash" "bytea",
	"requested_at" timestamp with time zone,
	"requests" integer DEFAULT 1 NOT NULL,
	"confirmed_at" timestamp with time zone,
	"queued_at" timestamp with time zone,
	"mail_id" uuid,
	"outcome" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "release_waitlist_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "release_waitlist" ADD CONSTRAINT "release_waitlist_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "release_waitlist_once" ON "release_waitlist" USING btree ("product_id","email") WHERE "release_waitlist"."email" <> '';--> statement-breakpoint
CREATE INDEX "release_waitlist_of_address" ON "release_waitlist" USING btree ("email");--> statement-breakpoint
CREATE INDEX "release_waitlist_waiting" ON "release_waitlist" USING btree ("product_id","id") WHERE "release_waitlist"."queued_at" is null and "release_waitlist"."confirmed_at" is not null;