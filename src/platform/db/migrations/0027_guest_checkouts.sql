CREATE TABLE "guest_checkouts" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"network" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchase_access" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "guest_checkouts" ADD CONSTRAINT "guest_checkouts_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_access" ADD CONSTRAINT "purchase_access_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guest_checkouts_search" ON "guest_checkouts" USING gin ("email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "guest_checkouts_of_network" ON "guest_checkouts" USING btree ("network","created_at") WHERE "guest_checkouts"."network" is not null;--> statement-breakpoint
CREATE INDEX "purchase_access_of_purchase" ON "purchase_access" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "purchase_access_expired" ON "purchase_access" USING btree ("expires_at");--> statement-breakpoint
-- contract: unused since 0.1.0: the version before inserts no purchase without a user, and must not complete one
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_user" CHECK ("purchases"."user_id" is not null or "purchases"."status" in ('pending', 'canceled'));